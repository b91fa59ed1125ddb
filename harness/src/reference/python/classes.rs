//! Classes: their bodies, and the code that runs because a class is made or called.
//!
//! Runs that code for what it raises and changes; what an instance holds afterwards is not known.
//! Rules: Python's own; a metaclass is not read.

use std::cell::RefCell;
use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::TextRange;

use super::class::{Class, Instance};
use super::enumeration;
use super::exception::Halt;
use super::interpreter::{Frame, Interpreter};
use super::native::Arguments;
use super::scope::{Scope, ScopeKind};
use super::value::{Unknown, Value};

/// How many classes may be searched for an attribute.
const MAXIMUM_REACH: usize = 256;

impl Interpreter<'_> {
    pub(super) fn define_class(&mut self, frame: &Frame, definition: &ast::StmtClassDef) -> Result<(), Halt> {
        let mut decorators = Vec::new();
        for decorator in &definition.decorator_list {
            decorators.push((self.evaluate(frame, &decorator.expression)?, decorator.range));
        }
        let mut bases = Vec::new();
        let mut unreadable = false;
        let mut settings = Arguments::default();
        let mut metaclass = None;
        if let Some(arguments) = &definition.arguments {
            for base in &arguments.args {
                match base {
                    Expr::Starred(_) => unreadable = true,
                    base => bases.push(self.evaluate(frame, base)?),
                }
            }
            for keyword in &arguments.keywords {
                let value = self.evaluate(frame, &keyword.value)?;
                match keyword.arg.as_ref().map(ast::Identifier::as_str) {
                    Some("metaclass") => metaclass = Some(value),
                    Some(name) => drop(settings.keywords.insert(Rc::from(name), value)),
                    None => {
                        let place = frame.place(keyword.range);
                        settings.open = Some(Unknown::new("these settings are not known", place));
                    }
                }
                unreadable = true;
            }
        }
        let scope = Scope::new(ScopeKind::Class, Some(Rc::clone(&frame.scope)));
        scope.assign("__module__", Value::text(&frame.module.name));
        let qualified = match frame.scope.kind {
            ScopeKind::Module => Value::text(&definition.name),
            _ => {
                self.unknown(frame, definition.name.range, "the qualified name of an inner class is not read")
            }
        };
        scope.assign("__qualname__", qualified);
        self.run_block(&frame.inside(Rc::clone(&scope)), &definition.body)?;
        let plain = |base: &Value| match base {
            Value::Class(base) => !base.subscriptable,
            Value::Type(basic) => !basic.is_subscriptable(),
            Value::Exception(_) => true,
            _ => false,
        };
        let subscriptable = unreadable
            || definition.type_params.is_some()
            || scope.bindings.borrow().contains_key("__class_getitem__")
            || !bases.iter().all(plain);
        let name: Rc<str> = Rc::from(definition.name.as_str());
        let reach = Class::reach_over(&bases);
        if reach > MAXIMUM_REACH {
            let why = "the class derives from more classes than are read";
            return Err(Halt::GaveUp(Unknown::new(why, frame.place(definition.name.range))));
        }
        let class = Rc::new(Class {
            name,
            bases,
            scope,
            metaclass: false.into(),
            reach,
            dataclass: RefCell::default(),
            subscriptable,
        });
        *class.scope.owner.borrow_mut() = Rc::downgrade(&class);
        self.after_class(frame, definition.name.range, &class, metaclass.as_ref(), settings)?;
        let mut value = Value::Class(class);
        for (decorator, range) in decorators.into_iter().rev() {
            value = self.decorate(frame, range, &decorator, &value)?;
        }
        frame.scope.assign(&definition.name, value);
        Ok(())
    }

    /// What making a class runs beside its body.
    pub(super) fn after_class(
        &mut self,
        frame: &Frame,
        range: TextRange,
        class: &Rc<Class>,
        metaclass: Option<&Value>,
        mut settings: Arguments,
    ) -> Result<(), Halt> {
        if metaclass.is_some() || class.bases.iter().any(has_metaclass) {
            // Its code may have changed anything that the module can reach.
            self.doubt();
            class.metaclass.set(true);
            frame.scope.module().bindings.borrow().values().for_each(taint_all);
            return Ok(());
        }
        let hook = class.bases.iter().find_map(|base| match base {
            Value::Class(base) => base.attribute("__init_subclass__"),
            _ => None,
        });
        if let Some(Value::Function(hook)) = hook {
            settings.positional.insert(0, Value::Class(Rc::clone(class)));
            self.call_function(frame, range, &hook, settings)?;
        }
        Ok(())
    }

    /// An instance of a class, made by calling it.
    pub(super) fn instantiate(
        &mut self,
        frame: &Frame,
        range: TextRange,
        class: &Rc<Class>,
        mut arguments: Arguments,
    ) -> Result<Value, Halt> {
        let instance = Instance { class: Rc::clone(class), fields: None, arguments: RefCell::default() };
        let instance = Value::Instance(Rc::new(instance));
        if enumeration::is_enumeration(class) {
            let why = "which member this is is not known";
            return Ok(self.unknown(frame, range, why));
        }
        if class.metaclass.get() || class.attribute("__new__").is_some() {
            self.hand_over(&arguments);
            frame.scope.module().bindings.borrow().values().for_each(taint_all);
            return Ok(Value::Unknown(Unknown::new("what this class gives is not read", frame.place(range))));
        }
        match class.attribute("__init__") {
            Some(Value::Function(function)) => {
                arguments.positional.insert(0, instance.clone());
                self.call_function(frame, range, &function, arguments)?;
            }
            Some(_) => self.hand_over(&arguments),
            None => {
                if class.attribute("__post_init__").is_some() {
                    self.doubt();
                    frame.scope.module().bindings.borrow().values().for_each(taint_all);
                }
            }
        }
        Ok(instance)
    }
}

fn has_metaclass(base: &Value) -> bool {
    matches!(base, Value::Class(base) if base.metaclass.get())
}

/// Taints a value, and what a class keeps for all its instances.
fn taint_all(value: &Value) {
    value.taint();
    if let Value::Class(class) = value {
        class.scope.bindings.borrow().values().for_each(Value::taint);
    }
}
