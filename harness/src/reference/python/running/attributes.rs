//! Attributes of running code.
//!
//! Knows objects and the order of their classes; calls what a property asks for.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::super::class::{Class, Instance};
use super::super::exception::{ExceptionValue, Halt};
use super::super::interpreter::Interpreter;
use super::super::native::{Arguments, Native};
use super::super::standard;
use super::super::value::{Member, Value};
use super::site::Site;

/// Attributes that every exception has and that are not run.
const OF_EXCEPTIONS: [&str; 6] =
    ["with_traceback", "add_note", "__traceback__", "__context__", "__notes__", "__suppress_context__"];

impl Interpreter<'_> {
    /// `object.name`.
    pub(super) fn load_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        name: &str,
    ) -> Result<Value, Halt> {
        match self.find_attribute(site, object, name)? {
            Some(value) => Ok(value),
            None if is_special(name) && name != "__name__" => Err(site.not_run()),
            None => Err(missing(site, object, name)),
        }
    }

    /// `object.name`, or nothing where Python raises `AttributeError`.
    pub(super) fn find_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        name: &str,
    ) -> Result<Option<Value>, Halt> {
        if name == "__class__" {
            return Ok(Some(Self::type_of_value(object)));
        }
        let method =
            || Value::Native(Rc::new(Native::Method { object: object.clone(), name: Rc::from(name) }));
        Ok(match object {
            Value::Instance(instance) => return self.instance_attribute(site, object, instance, name),
            Value::Member(member) => return self.member_attribute(site, object, member, name),
            Value::Class(class) => return self.class_attribute(site, object, class, name),
            Value::Module(_) => self.attribute_of(object, name),
            Value::Opaque(path) if matches!(name, "__name__" | "__qualname__") => {
                Some(Value::text(path.rsplit('.').next().unwrap_or(path)))
            }
            Value::Opaque(path) => Some(standard::member(path, name)),
            Value::Host(host) => host
                .attribute(name)
                .or_else(|| host.methods().contains(&name).then(|| Self::host_method(object, name))),
            Value::Record(record) => record.fields.borrow().get(name).cloned(),
            Value::Exception(exception) => match (name, &exception.message) {
                ("__name__" | "__qualname__", None) => Some(Value::Text(Rc::clone(&exception.class))),
                ("args", Some(_)) => Some(Value::tuple(exception.arguments.clone())),
                ("__cause__", Some(_)) => Some(exception.cause.borrow().clone().unwrap_or(Value::None)),
                ("value", Some(_)) if &*exception.class == "StopIteration" => {
                    Some(exception.arguments.first().cloned().unwrap_or(Value::None))
                }
                ("errno" | "strerror" | "filename", Some(_))
                    if super::super::exception::is_subclass(&exception.class, "OSError") =>
                {
                    return Err(site.not_run());
                }
                ("name" | "obj" | "path" | "code" | "msg", Some(_)) => return Err(site.not_run()),
                (name, _) if OF_EXCEPTIONS.contains(&name) => return Err(site.not_run()),
                (_, None) => return Err(site.not_run()),
                _ => None,
            },
            Value::Function(function) => match name {
                "__name__" | "__qualname__" => Some(Value::Text(function.name())),
                "__wrapped__" => function.wrapped.borrow().clone(),
                _ => return Err(site.not_run()),
            },
            Value::Native(native) => return self.native_attribute(site, object, native, name),
            Value::Type(basic) if matches!(name, "__name__" | "__qualname__") => {
                Some(Value::text(basic.name()))
            }
            Value::Type(basic) => super::method_names::of_type(*basic).contains(&name).then(method),
            Value::Made(_) | Value::Unknown(_) | Value::Form(_) => return Err(site.not_run()),
            other => super::method_names::of(other).contains(&name).then(method),
        })
    }

    fn native_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        native: &Native,
        name: &str,
    ) -> Result<Option<Value>, Halt> {
        match (native, name) {
            (Native::Property { .. }, "setter") => Ok(Some(Value::Native(Rc::new(Native::Method {
                object: object.clone(),
                name: Rc::from(name),
            })))),
            (Native::Bound { function, .. }, "__name__") => Ok(Some(Value::Text(function.name()))),
            (Native::Bound { first, .. }, "__self__") => Ok(Some(first.clone())),
            (Native::Super { class, object: first }, _) => {
                self.super_attribute(site, object, class, first, name)
            }
            _ => Err(site.not_run()),
        }
    }

    fn super_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        class: &Rc<Class>,
        first: &Value,
        name: &str,
    ) -> Result<Option<Value>, Halt> {
        let own = match first {
            Value::Instance(instance) => &instance.class,
            Value::Class(class) => class,
            _ => return Err(site.not_run()),
        };
        let after = own.linear().into_iter().skip_while(|one| !Rc::ptr_eq(one, class)).skip(1);
        for next in after {
            let found = next.scope.bindings.borrow().get(name).cloned();
            if let Some(value) = found {
                return self.bound_attribute(site, first, own, value).map(Some);
            }
        }
        let provided =
            matches!(name, "__init__" | "__str__" | "__repr__" | "__init_subclass__" | "__post_init__");
        if !provided {
            return if is_special(name) { Err(site.not_run()) } else { Ok(None) };
        }
        Ok(Some(Value::Native(Rc::new(Native::Method { object: object.clone(), name: Rc::from(name) }))))
    }

    /// An attribute that was found in a class, as it is reached through an object of that class.
    fn bound_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        class: &Rc<Class>,
        value: Value,
    ) -> Result<Value, Halt> {
        let bind = |function: &Rc<_>, first: Value| {
            Value::Native(Rc::new(Native::Bound { function: Rc::clone(function), first }))
        };
        match &value {
            Value::Function(function) => Ok(match object {
                Value::Class(_) => value.clone(),
                _ => bind(function, object.clone()),
            }),
            Value::Native(native) => match native.as_ref() {
                Native::StaticMethod(function) => Ok(Value::Function(Rc::clone(function))),
                Native::ClassMethod(function) => Ok(bind(function, Value::Class(Rc::clone(class)))),
                Native::Property { getter, .. } if !matches!(object, Value::Class(_)) => {
                    let getter = getter.clone();
                    self.run_call(site, &getter, Arguments::one(object.clone()))
                }
                Native::Field { default: Some(default), .. } => Ok(default.clone()),
                Native::Field { .. } => {
                    Err(site.raise("AttributeError", "a field without a default has no class attribute"))
                }
                _ => Ok(value.clone()),
            },
            Value::Unknown(unknown) => Err(Halt::GaveUp(Rc::clone(unknown))),
            Value::Made(made) => Err(Halt::GaveUp(Rc::clone(&made.by))),
            Value::Instance(other) if class_has(&other.class, "__get__") => {
                Err(site.outside("a descriptor is not run"))
            }
            _ => Ok(value),
        }
    }

    fn instance_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        instance: &Rc<Instance>,
        name: &str,
    ) -> Result<Option<Value>, Halt> {
        let of_class = instance.class.find(name);
        let is_property = matches!(&of_class, Some(Value::Native(native)) if matches!(native.as_ref(), Native::Property { .. }));
        if !is_property {
            let Some(fields) = &instance.fields else {
                return Err(
                    site.outside("what this object holds was not followed while the agent was loaded")
                );
            };
            let own = fields.borrow().get(name).cloned();
            if own.is_some() {
                return Ok(own);
            }
        }
        if let Some(value) = of_class {
            return self.bound_attribute(site, object, &instance.class, value).map(Some);
        }
        let is_exception = instance.class.is_exception("BaseException") == Some(true);
        match name {
            "args" if is_exception => return Ok(Some(Value::tuple(instance.arguments.borrow().clone()))),
            "__cause__" if is_exception => return Ok(Some(Value::None)),
            "__dict__" => return Err(site.not_run()),
            _ if is_exception && OF_EXCEPTIONS.contains(&name) => return Err(site.not_run()),
            _ => {}
        }
        let Some(fallback) = instance.class.find("__getattr__") else { return Ok(None) };
        let fallback = self.bound_attribute(site, object, &instance.class, fallback)?;
        match self.run_call(site, &fallback, Arguments::one(Value::text(name))) {
            Err(Halt::Raised(raised))
                if raised.is_caught_by(&ExceptionValue::class("AttributeError")) == Some(true) =>
            {
                Err(Halt::Raised(raised))
            }
            found => found.map(Some),
        }
    }

    fn class_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        class: &Rc<Class>,
        name: &str,
    ) -> Result<Option<Value>, Halt> {
        if class.metaclass.get() {
            return Err(site.outside("a metaclass is not run"));
        }
        if let Some(members) = Self::enumerated(class) {
            if name == "__members__" {
                return Err(site.not_run());
            }
            if let Some(member) = Self::member_named(class, &members, name) {
                return Ok(Some(member));
            }
        }
        match class.find(name) {
            Some(value) => self.bound_attribute(site, object, class, value).map(Some),
            None if matches!(name, "__name__" | "__qualname__") => {
                Ok(Some(Value::Text(Rc::clone(&class.name))))
            }
            None if Self::enumerated(class).is_some() && !is_special(name) && name != "mro" => Ok(None),
            None if class.bases.iter().any(|base| {
                matches!(base, Value::Opaque(_) | Value::Unknown(_) | Value::Type(_) | Value::Exception(_))
            }) =>
            {
                Err(site.not_run())
            }
            None => Ok(None),
        }
    }

    fn member_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        member: &Rc<Member>,
        name: &str,
    ) -> Result<Option<Value>, Halt> {
        match name {
            "name" | "_name_" => return Ok(Some(Value::Text(Rc::clone(&member.name)))),
            "value" | "_value_" => return Ok(Some(member.value.clone())),
            _ => {}
        }
        if let Some(members) = Self::enumerated(&member.class)
            && let Some(other) = Self::member_named(&member.class, &members, name)
        {
            return Ok(Some(other));
        }
        if let Some(value) = member.class.find(name) {
            return self.bound_attribute(site, object, &member.class, value).map(Some);
        }
        if member.is_mixed() {
            return self.find_attribute(site, &member.value.clone(), name);
        }
        Ok(None)
    }

    /// A special method of a value's class, bound to the value.
    pub(super) fn special(
        &mut self,
        site: Site<'_>,
        value: &Value,
        name: &str,
    ) -> Result<Option<Value>, Halt> {
        let class = match value {
            Value::Instance(instance) => Rc::clone(&instance.class),
            Value::Member(member) => Rc::clone(&member.class),
            _ => return Ok(None),
        };
        match class.find(name) {
            None | Some(Value::None) => Ok(None),
            Some(method) => self.bound_attribute(site, value, &class, method).map(Some),
        }
    }
}

pub(super) fn class_has(class: &Rc<Class>, name: &str) -> bool {
    class.find(name).is_some()
}

pub(super) fn is_special(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

/// The `AttributeError` of an object without an attribute.
pub(super) fn missing(site: Site<'_>, object: &Value, name: &str) -> Halt {
    let message = match object {
        Value::Class(class) => format!("type object '{}' has no attribute '{name}'", class.name),
        Value::Type(basic) => format!("type object '{}' has no attribute '{name}'", basic.name()),
        Value::Module(module) => format!("module '{}' has no attribute '{name}'", module.name),
        other => format!("'{}' object has no attribute '{name}'", other.class_name()),
    };
    site.raise("AttributeError", message)
}
