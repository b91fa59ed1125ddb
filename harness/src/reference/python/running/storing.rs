//! Changing and deleting attributes of running code.
//!
//! Knows whose attributes may change; finding them is `attributes`' affair.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::{Arguments, Native};
use super::super::value::Value;
use super::attributes::{class_has, missing};
use super::site::Site;

impl Interpreter<'_> {
    /// `object.name = value`.
    pub(in super::super) fn store_attribute(
        &mut self,
        site: Site<'_>,
        object: &Value,
        name: &str,
        value: Value,
    ) -> Result<(), Halt> {
        match object {
            Value::Instance(instance) => {
                if class_has(&instance.class, "__setattr__") || class_has(&instance.class, "__slots__") {
                    return Err(site.outside("`__setattr__` and `__slots__` are not run"));
                }
                if let Some(Value::Native(native)) = instance.class.find(name)
                    && let Native::Property { setter, .. } = native.as_ref()
                {
                    let Some(setter) = setter.clone() else {
                        let message =
                            format!("property '{name}' of '{}' object has no setter", instance.class.name);
                        return Err(site.raise("AttributeError", message));
                    };
                    let mut arguments = Arguments::one(object.clone());
                    arguments.positional.push(value);
                    return self.run_call(site, &setter, arguments).map(|_| ());
                }
                if instance
                    .class
                    .linear()
                    .iter()
                    .any(|class| class.dataclass.borrow().is_some_and(|told| told.frozen))
                {
                    return Err(site.raise("FrozenInstanceError", format!("cannot assign to field '{name}'")));
                }
                let Some(fields) = &instance.fields else { return Err(site.not_run()) };
                let old = fields.borrow_mut().insert(Rc::from(name), value);
                drop(old);
                Ok(())
            }
            Value::Class(class) if Self::enumerated(class).is_none() && !class.metaclass.get() => {
                Self::bind_name(&class.scope, name, value);
                Ok(())
            }
            Value::Module(module) => {
                Self::bind_name(&module.scope, name, value);
                Ok(())
            }
            Value::Record(record) => {
                let old = record.fields.borrow_mut().insert(Rc::from(name), value);
                drop(old);
                Ok(())
            }
            // What the runtime lends is there to be read.
            Value::Host(host) => {
                let message = format!("property '{name}' of '{}' object has no setter", host.class_name());
                Err(site.raise("AttributeError", message))
            }
            Value::Function(_)
            | Value::Class(_)
            | Value::Native(_)
            | Value::Exception(_)
            | Value::Member(_)
            | Value::Opaque(_)
            | Value::Made(_)
            | Value::Unknown(_) => {
                Err(site.outside(format!("assigning the attribute `{name}` here is not run")))
            }
            other => Err(missing(site, other, name)),
        }
    }

    /// `del object.name`.
    pub(super) fn delete_attribute(site: Site<'_>, object: &Value, name: &str) -> Result<(), Halt> {
        match object {
            Value::Instance(instance) => {
                let Some(fields) = &instance.fields else { return Err(site.not_run()) };
                if class_has(&instance.class, "__delattr__")
                    || instance.class.find(name).is_some() && !fields.borrow().contains_key(name)
                {
                    return Err(site.not_run());
                }
                match fields.borrow_mut().shift_remove(name) {
                    Some(_) => Ok(()),
                    None => Err(missing(site, object, name)),
                }
            }
            _ => Err(site.not_run()),
        }
    }
}
