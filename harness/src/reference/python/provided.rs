//! What the provided functions do: `functools`, `dataclasses` and the built-ins that descriptions and
//! decorators are made with.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_text_size::TextRange;

use super::interpreter::{Frame, Interpreter};
use super::methods;
use super::native::{Arguments, Native, NativeFunction};
use super::value::Value;

/// How long a `range` may be to be read.
const MAXIMUM_RANGE: i64 = 10_000;

impl Interpreter<'_> {
    /// Notes that any name of the module may be bound from here on, by what a built-in function gives.
    pub(super) fn anything(&mut self, frame: &Frame, range: TextRange, function: &str) -> Value {
        self.doubt();
        let why = format!("what `{function}()` is used for is not read");
        let unknown = super::value::Unknown::new(why, frame.place(range));
        *frame.scope.module().anything.borrow_mut() = Some(Rc::clone(&unknown));
        Value::Unknown(unknown)
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each function, each of a few lines")]
    pub(super) fn call_provided(
        &mut self,
        frame: &Frame,
        range: TextRange,
        function: NativeFunction,
        arguments: &Arguments,
    ) -> Value {
        let first = arguments.positional.first();
        let second = arguments.positional.get(1);
        let text = |text: String| Value::text(&text);
        let known = match (function, first) {
            (NativeFunction::Wraps, Some(wrapped)) => {
                Some(Value::Native(Rc::new(Native::Wraps(wrapped.clone()))))
            }
            (NativeFunction::UpdateWrapper, Some(wrapper)) => {
                second.map(|wrapped| super::wrapping::wrap(wrapper.clone(), wrapped))
            }
            (NativeFunction::Partial, Some(callee)) => {
                let callee = callee.clone();
                let mut rest = arguments.clone();
                rest.positional.remove(0);
                Some(Value::Native(Rc::new(Native::Partial { callee, arguments: rest })))
            }
            (NativeFunction::Field, _) => Interpreter::dataclass_field(arguments),
            (NativeFunction::Dataclass, _) => Some(Interpreter::dataclass(arguments)),
            (NativeFunction::Cache, Some(decorated))
                if !matches!(decorated, Value::None | Value::Int(_) | Value::Bool(_)) =>
            {
                Some(decorated.clone())
            }
            (NativeFunction::Cache, _) => Some(Value::Native(Rc::new(Native::Identity))),
            (NativeFunction::Cast, Some(_)) => second.cloned(),
            (NativeFunction::Dedent, Some(Value::Text(value))) => Some(text(methods::dedent(value))),
            (NativeFunction::CleanDoc, Some(Value::Text(value))) => methods::clean_doc(value).map(text),
            (NativeFunction::Represent, Some(value)) => super::formatting::represent(value).map(text),
            (NativeFunction::Format, Some(value)) => match second {
                None => methods::display(value).map(text),
                Some(Value::Text(wanted)) => super::formatting::format_value(value, wanted).map(text),
                Some(_) => None,
            },
            (NativeFunction::Max | NativeFunction::Min, Some(value)) if arguments.keywords.is_empty() => {
                let given = arguments.positional.clone();
                let items = if second.is_some() { Some(given) } else { self.known_items(Some(value)) };
                let mut ordered = items.and_then(sorted).unwrap_or_default();
                if function == NativeFunction::Min && !ordered.is_empty() {
                    ordered.truncate(1);
                }
                ordered.pop()
            }
            (NativeFunction::Sum, Some(value)) if second.is_none() => self
                .known_items(Some(value))
                .and_then(|items| {
                    items.iter().try_fold(0i64, |sum, item| match item {
                        Value::Int(item) => sum.checked_add(*item),
                        _ => None,
                    })
                })
                .map(Value::Int),
            (NativeFunction::Reversed, Some(value @ (Value::List(_) | Value::Tuple(_) | Value::Text(_)))) => {
                self.known_items(Some(value)).map(|items| Value::list(items.into_iter().rev().collect()))
            }
            (NativeFunction::IsInstance, Some(value)) => {
                second.and_then(|class| Self::is_instance(value, class)).map(Value::Bool)
            }
            (NativeFunction::Len, Some(value)) => self
                .known_items(Some(value))
                .and_then(|items| i64::try_from(items.len()).ok())
                .map(Value::Int),
            (NativeFunction::Sorted, Some(value)) if arguments.keywords.is_empty() => {
                self.known_items(Some(value)).and_then(sorted).map(Value::list)
            }
            (NativeFunction::Range, Some(_)) => range_items(&arguments.positional).map(Value::list),
            (NativeFunction::Enumerate, Some(value)) if second.is_none() && arguments.keywords.is_empty() => {
                self.known_items(Some(value)).map(|items| {
                    let pair = |(index, item)| Value::tuple(vec![Value::Int(index), item]);
                    Value::list((0..).zip(items).map(pair).collect())
                })
            }
            (NativeFunction::Zip, Some(left)) if arguments.positional.len() == 2 => {
                let pairs = self.known_items(Some(left)).zip(self.known_items(second));
                pairs.map(|(left, right)| {
                    let pair = |(left, right)| Value::tuple(vec![left, right]);
                    Value::list(left.into_iter().zip(right).map(pair).collect())
                })
            }
            (NativeFunction::Print, _) => Some(Value::None),
            (NativeFunction::GetAttribute, Some(object)) => match second {
                Some(Value::Text(name)) => self.attribute_of(object, name).or_else(|| {
                    // What a record lacks is known.
                    let default = arguments.positional.get(2);
                    default.filter(|_| matches!(object, Value::Record(_))).cloned()
                }),
                _ => None,
            },
            (NativeFunction::HasAttribute, Some(Value::Record(record))) => match second {
                Some(Value::Text(name)) => Some(Value::Bool(record.fields.borrow().contains_key(name))),
                _ => None,
            },
            (NativeFunction::SetAttribute, Some(object)) => {
                if let (Some(Value::Text(name)), Some(value)) = (second, arguments.positional.get(2)) {
                    Self::set_attribute(object, name, value.clone());
                }
                Some(Value::None)
            }
            (NativeFunction::Globals, None) => {
                self.anything(frame, range, "globals");
                None
            }
            (NativeFunction::Any | NativeFunction::All, Some(value)) => {
                let stops = function == NativeFunction::Any;
                self.known_items(Some(value)).and_then(|items| {
                    let truths: Option<Vec<bool>> = items.iter().map(Value::truth).collect();
                    truths.map(|truths| Value::Bool(truths.contains(&stops) == stops))
                })
            }
            _ => None,
        };
        known.unwrap_or_else(|| {
            self.doubt();
            arguments.values().for_each(Value::taint);
            self.unknown(frame, range, "what this call gives is not read")
        })
    }
}

fn sorted(mut items: Vec<Value>) -> Option<Vec<Value>> {
    if items.iter().all(|item| matches!(item, Value::Text(_))) {
        items.sort_by(|left, right| match (left, right) {
            (Value::Text(left), Value::Text(right)) => left.cmp(right),
            _ => std::cmp::Ordering::Equal,
        });
        return Some(items);
    }
    if items.iter().all(|item| matches!(item, Value::Int(_))) {
        items.sort_by_key(|item| if let Value::Int(value) = item { *value } else { 0 });
        return Some(items);
    }
    None
}

fn range_items(bounds: &[Value]) -> Option<Vec<Value>> {
    let numbers: Option<Vec<i64>> =
        bounds.iter().map(|bound| if let Value::Int(value) = bound { Some(*value) } else { None }).collect();
    let (start, end) = match numbers?.as_slice() {
        [end] => (0, *end),
        [start, end] => (*start, *end),
        _ => return None,
    };
    (end.checked_sub(start)? <= MAXIMUM_RANGE).then(|| (start..end).map(Value::Int).collect())
}
