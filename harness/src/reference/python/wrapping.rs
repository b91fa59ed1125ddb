//! `functools.wraps`: a wrapper that stands for the function it wraps.
//!
//! Knows functions and what stands for them; no decorator by any other name.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::value::{Made, Value};

/// Makes `wrapper` stand for `wrapped`: its name, its signature and its tool mark, as Python copies
/// `__name__`, `__wrapped__` and `__dict__` (SCH-34).
pub(crate) fn wrap(wrapper: Value, wrapped: &Value) -> Value {
    let Value::Function(outer) = &wrapper else { return wrapper };
    match wrapped {
        Value::Function(inner) => {
            *outer.name.borrow_mut() = inner.name();
            *outer.wrapped.borrow_mut() = Some(wrapped.clone());
            if inner.tool.borrow().is_some() {
                outer.tool.borrow_mut().clone_from(&inner.tool.borrow());
            }
            wrapper
        }
        Value::Made(inner) => {
            let tool = inner.tool.borrow().clone();
            Value::Made(Rc::new(Made {
                function: Rc::clone(&inner.function),
                by: Rc::clone(&inner.by),
                tool: tool.into(),
            }))
        }
        Value::Unknown(unknown) => Value::Made(Rc::new(Made {
            function: Rc::clone(outer),
            by: Rc::clone(unknown),
            tool: None.into(),
        })),
        _ => wrapper,
    }
}
