//! Binding the arguments of a call to the parameters of a function.
//!
//! Knows signatures and arguments; runs nothing.
//! Rules: Python's own.

use std::rc::Rc;

use super::exception::Halt;
use super::function::Function;
use super::importer::raise;
use super::interpreter::{Frame, Interpreter};
use super::native::Arguments;
use super::value::Value;
use crate::protocol::SourcePlace;

impl Interpreter<'_> {
    /// Binds the arguments of a call to the parameters of the function.
    pub(super) fn bind(
        place: &SourcePlace,
        inner: &Frame,
        function: &Function,
        mut arguments: Arguments,
    ) -> Result<(), Halt> {
        let Some(parameters) = function.parameters() else { return Ok(()) };
        let refuse = |what: String| {
            let message = format!("{}() {what}", function.name());
            Err(raise("TypeError", message, place))
        };
        let mut positional = arguments.positional.into_iter();
        let by_position = parameters.posonlyargs.len() + parameters.args.len();
        for (index, parameter) in parameters.iter_non_variadic_params().enumerate() {
            let name = parameter.name().as_str();
            let by_name = index >= parameters.posonlyargs.len();
            let given = if index < by_position { positional.next() } else { None };
            let value = match given {
                Some(value) => Some(value),
                None if by_name => arguments.keywords.shift_remove(name),
                None => None,
            };
            let default = function.defaults.get(index).cloned().flatten();
            let value = match (value, &arguments.open, default) {
                (Some(value), _, _) => value,
                (None, Some(unknown), _) => Value::Unknown(Rc::clone(unknown)),
                (None, None, Some(default)) => default,
                (None, None, None) => return refuse(format!("missing a required argument: '{name}'")),
            };
            inner.scope.assign(name, value);
        }
        let rest: Vec<Value> = positional.collect();
        match &parameters.vararg {
            Some(variadic) => {
                let value = match &arguments.open {
                    Some(unknown) => Value::Unknown(Rc::clone(unknown)),
                    None => Value::Tuple(rest.into()),
                };
                inner.scope.assign(&variadic.name, value);
            }
            None if !rest.is_empty() => return refuse("got too many positional arguments".to_owned()),
            None => {}
        }
        match &parameters.kwarg {
            Some(variadic) => {
                let value = match &arguments.open {
                    Some(unknown) => Value::Unknown(Rc::clone(unknown)),
                    None => Value::dict(arguments.keywords),
                };
                inner.scope.assign(&variadic.name, value);
            }
            None => {
                if let Some(name) = arguments.keywords.keys().next() {
                    return refuse(format!("got an unexpected keyword argument '{name}'"));
                }
            }
        }
        Ok(())
    }
}
