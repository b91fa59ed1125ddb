//! Objects of the project's classes: how they are made, `super`, dataclasses.
//!
//! Knows classes and their order; attributes are looked up elsewhere.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::class::{Class, Dataclass, Instance};
use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::{Arguments, Native};
use super::super::scope::ScopeKind;
use super::super::value::{Dict, Value};
use super::site::Site;

/// A field of a dataclass.
struct Field {
    name: Rc<str>,
    default: Option<Value>,
    factory: Option<Value>,
}

impl Interpreter<'_> {
    /// Calls a class.
    pub(super) fn construct(
        &mut self,
        site: Site<'_>,
        class: &Rc<Class>,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        if super::super::enumeration::is_enumeration(class) {
            let [value] = arguments.positional.as_slice() else { return Err(site.not_run()) };
            return self.member_of(site, class, value);
        }
        Self::is_run(site, class)?;
        let instance = Rc::new(Instance {
            class: Rc::clone(class),
            fields: Some(RefCell::default()),
            arguments: RefCell::default(),
        });
        let is_exception = class.is_exception("BaseException") == Some(true);
        if is_exception {
            instance.arguments.borrow_mut().clone_from(&arguments.positional);
        }
        let object = Value::Instance(Rc::clone(&instance));
        // A dataclass makes an `__init__` for itself; an inherited one counts only before it.
        let initialiser = class.linear().into_iter().find_map(|one| {
            let written = one.scope.bindings.borrow().get("__init__").cloned();
            match written {
                Some(written) => Some(Some(written)),
                None if one.dataclass.borrow().is_some() => Some(None),
                None => None,
            }
        });
        match initialiser {
            Some(Some(_)) => {
                let Some(method) = self.special(site, &object, "__init__")? else {
                    return Err(site.not_run());
                };
                match self.run_call(site, &method, arguments)? {
                    Value::None => {}
                    Value::Awaitable(_) => {
                        return Err(site.type_error("__init__() should return None, not 'coroutine'"));
                    }
                    other => {
                        let message = format!("__init__() should return None, not '{}'", other.class_name());
                        return Err(site.type_error(message));
                    }
                }
            }
            Some(None) => self.initialise_dataclass(site, class, &instance, arguments)?,
            None if is_exception => {
                if !arguments.keywords.is_empty() {
                    return Err(site.type_error(format!("{}() takes no keyword arguments", class.name)));
                }
            }
            None => {
                if !arguments.positional.is_empty() || !arguments.keywords.is_empty() {
                    return Err(site.type_error(format!("{}() takes no arguments", class.name)));
                }
            }
        }
        Ok(object)
    }

    /// Refuses classes whose objects are more than what their own code makes them.
    fn is_run(site: Site<'_>, class: &Rc<Class>) -> Result<(), Halt> {
        for one in class.linear() {
            if one.metaclass.get() {
                return Err(site.outside("a metaclass is not run"));
            }
            for base in &one.bases {
                let plain = match base {
                    Value::Class(_) | Value::Exception(_) | Value::Form(_) => true,
                    Value::Type(basic) => basic.name() == "object",
                    Value::Opaque(path) => {
                        matches!(&**path, "abc.ABC" | "typing.Protocol" | "typing.Generic")
                    }
                    _ => false,
                };
                if !plain {
                    let why =
                        format!("an object of `{}`, which derives from something else, is not run", one.name);
                    return Err(site.outside(why));
                }
            }
            let bindings = one.scope.bindings.borrow();
            if bindings.contains_key("__new__") {
                return Err(site.outside("`__new__` is not run"));
            }
            if let Some(Value::Unknown(unknown)) =
                bindings.values().find(|value| matches!(value, Value::Unknown(_)))
            {
                let is_docstring = bindings.get("__qualname__").is_some_and(
                    |value| matches!(value, Value::Unknown(other) if Rc::ptr_eq(other, unknown)),
                );
                if !is_docstring {
                    return Err(Halt::GaveUp(Rc::clone(unknown)));
                }
            }
            if one.dataclass.borrow().is_some_and(|told| told.other) {
                return Err(site.outside("this use of `@dataclass` is not run"));
            }
        }
        Ok(())
    }

    /// `super()`, or `super(class, object)`.
    pub(super) fn super_of(site: Site<'_>, given: &[Value]) -> Result<Value, Halt> {
        let made = |class: Rc<Class>, object: Value| Value::Native(Rc::new(Native::Super { class, object }));
        if let [Value::Class(class), object] = given {
            return Ok(made(Rc::clone(class), object.clone()));
        }
        if !given.is_empty() {
            return Err(site.not_run());
        }
        let mut scope = Some(Rc::clone(&site.frame.scope));
        let first = site.frame.scope.bindings.borrow().get_index(0).map(|(_, value)| value.clone());
        while let Some(current) = scope {
            if current.kind == ScopeKind::Class
                && let (Some(class), Some(object)) = (current.owner.borrow().upgrade(), first.clone())
            {
                return Ok(made(class, object));
            }
            scope = current.parent.as_ref().map(Rc::clone);
        }
        Err(site.raise("RuntimeError", "super(): __class__ cell not found"))
    }

    /// A method that every class has, reached through `super()`.
    pub(super) fn super_method(
        &mut self,
        site: Site<'_>,
        object: &Value,
        name: &str,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        let Value::Instance(instance) = object else {
            return if name == "__init_subclass__" { Ok(Value::None) } else { Err(site.not_run()) };
        };
        match name {
            "__init__" => {
                if instance.exception_base().is_some() {
                    drop(instance.arguments.replace(arguments.positional));
                } else if !arguments.positional.is_empty() || !arguments.keywords.is_empty() {
                    let message = "object.__init__() takes exactly one argument (the instance to initialize)";
                    return Err(site.type_error(message));
                }
                Ok(Value::None)
            }
            "__str__" => match instance.exception_base() {
                Some(base) => {
                    let given = instance.arguments.borrow().clone();
                    self.exception_text(site, &base, &given).map(|text| Value::text(&text))
                }
                None => Err(site.not_run()),
            },
            _ => Err(site.not_run()),
        }
    }

    /// What `dataclass(...)` gives: the class, or a decorator that waits for it.
    pub(in super::super) fn dataclass(arguments: &Arguments) -> Value {
        let mut told =
            Dataclass { frozen: false, order: false, equal: true, keyword_only: false, other: false };
        for (name, value) in &arguments.keywords {
            match (&**name, value) {
                ("frozen", Value::Bool(flag)) => told.frozen = *flag,
                ("order", Value::Bool(flag)) => told.order = *flag,
                ("eq", Value::Bool(flag)) => told.equal = *flag,
                ("kw_only", Value::Bool(flag)) => told.keyword_only = *flag,
                ("repr" | "init", Value::Bool(true)) | ("unsafe_hash" | "slots", Value::Bool(false)) => {}
                _ => told.other = true,
            }
        }
        told.other |= arguments.open.is_some();
        match arguments.positional.first() {
            Some(Value::Class(class)) => {
                *class.dataclass.borrow_mut() = Some(told);
                Value::Class(Rc::clone(class))
            }
            Some(other) if !matches!(other, Value::None) => other.clone(),
            _ => Value::Native(Rc::new(Native::Dataclass(told))),
        }
    }

    /// Applies a decorator made by `dataclass(...)`.
    pub(in super::super) fn apply_dataclass(told: Dataclass, arguments: &Arguments) -> Option<Value> {
        let Some(Value::Class(class)) = arguments.positional.first() else {
            return arguments.positional.first().cloned();
        };
        *class.dataclass.borrow_mut() = Some(told);
        Some(Value::Class(Rc::clone(class)))
    }

    /// What `field(...)` gives; `None` when it asks for more than is modelled.
    pub(in super::super) fn dataclass_field(arguments: &Arguments) -> Option<Value> {
        let known = arguments.keywords.keys().all(|name| matches!(&**name, "default" | "default_factory"));
        if !known || !arguments.positional.is_empty() || arguments.open.is_some() {
            return None;
        }
        let default = arguments.keywords.get("default").cloned();
        let factory = arguments.keywords.get("default_factory").cloned();
        Some(Value::Native(Rc::new(Native::Field { default, factory })))
    }

    fn fields(class: &Rc<Class>) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        for one in class.linear().into_iter().rev().filter(|one| one.dataclass.borrow().is_some()) {
            for (name, _) in
                one.scope.annotated.borrow().iter().filter(|(_, is_class_variable)| !is_class_variable)
            {
                let written = one.scope.bindings.borrow().get(name).cloned();
                let (default, factory) = match written {
                    Some(Value::Native(native)) => match native.as_ref() {
                        Native::Field { default, factory } => (default.clone(), factory.clone()),
                        _ => (Some(Value::Native(Rc::clone(&native))), None),
                    },
                    written => (written, None),
                };
                let field = Field { name: Rc::clone(name), default, factory };
                match fields.iter_mut().find(|known| known.name == *name) {
                    Some(known) => *known = field,
                    None => fields.push(field),
                }
            }
        }
        fields
    }

    fn initialise_dataclass(
        &mut self,
        site: Site<'_>,
        class: &Rc<Class>,
        instance: &Rc<Instance>,
        mut arguments: Arguments,
    ) -> Result<(), Halt> {
        let keyword_only = class.dataclass.borrow().is_some_and(|told| told.keyword_only);
        let mut positional = arguments.positional.into_iter();
        for field in Self::fields(class) {
            let given = if keyword_only { None } else { positional.next() };
            let named = arguments.keywords.shift_remove(&field.name);
            if given.is_some() && named.is_some() {
                let message =
                    format!("{}.__init__() got multiple values for argument '{}'", class.name, field.name);
                return Err(site.type_error(message));
            }
            let value = match (given.or(named), field.default, field.factory) {
                (Some(value), _, _) | (None, Some(value), _) => value,
                (None, None, Some(factory)) => self.run_call(site, &factory, Arguments::default())?,
                (None, None, None) => {
                    let message = format!(
                        "{}.__init__() missing 1 required positional argument: '{}'",
                        class.name, field.name
                    );
                    return Err(site.type_error(message));
                }
            };
            if let Some(fields) = &instance.fields {
                fields.borrow_mut().insert(field.name, value);
            }
        }
        if positional.next().is_some() {
            return Err(
                site.type_error(format!("{}.__init__() takes fewer positional arguments", class.name))
            );
        }
        if let Some(name) = arguments.keywords.keys().next() {
            let message = format!("{}.__init__() got an unexpected keyword argument '{name}'", class.name);
            return Err(site.type_error(message));
        }
        let object = Value::Instance(Rc::clone(instance));
        if let Some(method) = self.special(site, &object, "__post_init__")? {
            self.run_call(site, &method, Arguments::default())?;
        }
        Ok(())
    }

    /// The fields by which objects of a dataclass are equal; `None` for any other object.
    pub(super) fn compared_fields(instance: &Instance) -> Option<Vec<Rc<str>>> {
        let equal = instance
            .class
            .linear()
            .iter()
            .any(|class| class.dataclass.borrow().is_some_and(|told| told.equal));
        equal.then(|| Self::fields(&instance.class).into_iter().map(|field| field.name).collect())
    }

    /// The fields that `repr` of an object of a dataclass shows.
    pub(super) fn shown_fields(instance: &Instance) -> Option<Vec<Rc<str>>> {
        let is_dataclass = instance.class.linear().iter().any(|class| class.dataclass.borrow().is_some());
        is_dataclass.then(|| Self::fields(&instance.class).into_iter().map(|field| field.name).collect())
    }

    pub(super) fn field_values(
        site: Site<'_>,
        instance: &Instance,
        names: &[Rc<str>],
    ) -> Result<Vec<Value>, Halt> {
        let Some(fields) = &instance.fields else { return Err(site.not_run()) };
        let fields = fields.borrow();
        names
            .iter()
            .map(|name| {
                fields.get(name).cloned().ok_or_else(|| site.outside("a field that was deleted is not run"))
            })
            .collect()
    }

    /// `dataclasses.asdict`.
    pub(super) fn as_dict(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        match value {
            Value::Instance(instance) if Self::shown_fields(instance).is_some() => self.as_plain(site, value),
            Value::Instance(_) | Value::Dict(_) | Value::List(_) => {
                Err(site.type_error("asdict() should be called on dataclass instances"))
            }
            _ => Err(site.not_run()),
        }
    }

    fn as_plain(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        self.tick(site)?;
        self.deeper(site, |own| match value {
            Value::Instance(instance) => {
                let Some(names) = Self::shown_fields(instance) else { return own.copy_deep(site, value) };
                let values = Self::field_values(site, instance, &names)?;
                let mut entries = Vec::new();
                for (name, value) in names.into_iter().zip(&values) {
                    entries.push((name, own.as_plain(site, value)?));
                }
                Ok(Value::dict(entries))
            }
            Value::List(_) | Value::Tuple(_) => {
                let mut items = Vec::new();
                for item in own.collect(site, value)? {
                    items.push(own.as_plain(site, &item)?);
                }
                Ok(if let Value::List(_) = value { Value::list(items) } else { Value::tuple(items) })
            }
            Value::Dict(dict) => {
                let copy = Rc::new(Dict::default());
                let entries: Vec<(Value, Value)> = dict.entries.borrow().values().cloned().collect();
                for (key, value) in &entries {
                    let key = own.as_plain(site, key)?;
                    let value = own.as_plain(site, value)?;
                    own.insert(site, &copy, key, value)?;
                }
                Ok(Value::Dict(copy))
            }
            other => own.copy_deep(site, other),
        })
    }

    /// `dataclasses.replace`.
    pub(super) fn replace_fields(
        &mut self,
        site: Site<'_>,
        value: &Value,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        let Value::Instance(instance) = value else {
            return Err(site.type_error("replace() should be called on dataclass instances"));
        };
        let Some(names) = Self::shown_fields(instance) else {
            return Err(site.type_error("replace() should be called on dataclass instances"));
        };
        let values = Self::field_values(site, instance, &names)?;
        let mut changed = Arguments {
            positional: Vec::new(),
            keywords: names.into_iter().zip(values).collect(),
            open: None,
        };
        changed.keywords.extend(arguments.keywords);
        self.construct(site, &instance.class, changed)
    }
}
