//! Tuples, sets and the views of dicts, and letting go of values however deep they nest.
//!
//! Knows how values are held together; nothing of what is done with them.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use indexmap::IndexMap;

use super::value::{Dict, Key, Value};

/// A tuple.
#[derive(Clone, Debug)]
pub(crate) struct Tuple(Rc<TupleItems>);

#[derive(Debug)]
struct TupleItems(Vec<Value>);

impl Tuple {
    /// Whether two are the same object.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Tuple {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.0
    }
}

impl From<Vec<Value>> for Tuple {
    fn from(items: Vec<Value>) -> Self {
        Self(Rc::new(TupleItems(items)))
    }
}

impl From<&[Value]> for Tuple {
    fn from(items: &[Value]) -> Self {
        Self::from(items.to_vec())
    }
}

impl FromIterator<Value> for Tuple {
    fn from_iter<Items: IntoIterator<Item = Value>>(items: Items) -> Self {
        Self::from(items.into_iter().collect::<Vec<_>>())
    }
}

/// A set or a frozen set, in the order in which its items were added.
#[derive(Debug, Default)]
pub(crate) struct Set {
    /// What it holds.
    pub(crate) items: RefCell<IndexMap<Key, Value>>,
    /// Whether it cannot change.
    pub(crate) frozen: bool,
    /// Set once something unreadable may have changed it.
    pub(crate) tainted: Cell<bool>,
}

impl Value {
    /// A set of items that are known; `None` when one of them cannot be compared by value.
    pub(crate) fn set(items: Vec<Self>) -> Option<Self> {
        let mut held = IndexMap::new();
        for item in items {
            held.entry(item.key()?).or_insert(item);
        }
        Some(Self::Set(Rc::new(Set { items: held.into(), frozen: false, tainted: Cell::new(false) })))
    }
}

/// A `range`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// The first number.
    pub(crate) start: i64,
    /// The number it stops before.
    pub(crate) stop: i64,
    /// The step, never zero.
    pub(crate) step: i64,
}

impl Range {
    /// How many numbers it has.
    pub(crate) fn length(self) -> i64 {
        let (low, high, step) = if self.step > 0 {
            (i128::from(self.start), i128::from(self.stop), i128::from(self.step))
        } else {
            (i128::from(self.stop), i128::from(self.start), -i128::from(self.step))
        };
        let length = if high > low { (high - low - 1) / step + 1 } else { 0 };
        i64::try_from(length).unwrap_or(i64::MAX)
    }

    /// The number at a position from zero on.
    pub(crate) fn at(self, position: i64) -> i64 {
        self.start.saturating_add(position.saturating_mul(self.step))
    }

    /// Whether a number is in it.
    pub(crate) fn contains(self, number: i64) -> bool {
        let within = if self.step > 0 {
            (self.start..self.stop).contains(&number)
        } else {
            number <= self.start && number > self.stop
        };
        within && (i128::from(number) - i128::from(self.start)) % i128::from(self.step) == 0
    }
}

/// What a view of a dict shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewKind {
    /// `keys()`.
    Keys,
    /// `values()`.
    Values,
    /// `items()`.
    Items,
}

/// A view of a dict.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// The dict.
    pub(crate) dict: Rc<Dict>,
    /// What it shows.
    pub(crate) kind: ViewKind,
}

impl View {
    /// What it shows at a position.
    pub(crate) fn at(&self, position: usize) -> Option<Value> {
        let entries = self.dict.entries.borrow();
        let (_, (key, value)) = entries.get_index(position)?;
        Some(match self.kind {
            ViewKind::Keys => key.clone(),
            ViewKind::Values => value.clone(),
            ViewKind::Items => Value::tuple(vec![key.clone(), value.clone()]),
        })
    }
}

thread_local! {
    /// Values that nothing holds any more, while they are being let go.
    static PENDING: RefCell<Option<Vec<Value>>> = const { RefCell::new(None) };
}

/// Lets values go one after the other: plain recursion would overflow the stack on a list in a list in a list….
pub(crate) fn release(values: Vec<Value>) {
    if values.iter().all(Value::is_flat) {
        return;
    }
    let outermost = PENDING.try_with(|pending| {
        let mut pending = pending.borrow_mut();
        match pending.as_mut() {
            Some(waiting) => {
                waiting.extend(values);
                false
            }
            None => {
                *pending = Some(values);
                true
            }
        }
    });
    if outermost != Ok(true) {
        return;
    }
    while let Some(value) = PENDING.with_borrow_mut(|pending| pending.as_mut().and_then(Vec::pop)) {
        drop(value);
    }
    PENDING.with_borrow_mut(|pending| *pending = None);
}

impl Drop for TupleItems {
    fn drop(&mut self) {
        release(std::mem::take(&mut self.0));
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        release(self.items.take().into_values().collect());
    }
}

impl Drop for super::value::List {
    fn drop(&mut self) {
        release(self.items.take());
    }
}

impl Drop for Dict {
    fn drop(&mut self) {
        release(self.entries.take().into_values().flat_map(|(key, value)| [key, value]).collect());
    }
}

impl Drop for super::class::Instance {
    fn drop(&mut self) {
        let fields = self.fields.take().map(RefCell::into_inner).unwrap_or_default();
        release(self.arguments.take().into_iter().chain(fields.into_values()).collect());
    }
}

impl Drop for super::scope::Scope {
    fn drop(&mut self) {
        release(self.bindings.take().into_values().collect());
    }
}

impl Drop for super::function::Function {
    fn drop(&mut self) {
        release(std::mem::take(&mut self.defaults).into_iter().flatten().collect());
    }
}

impl Drop for super::exception::ExceptionValue {
    fn drop(&mut self) {
        let cause = self.cause.take();
        release(std::mem::take(&mut self.arguments).into_iter().chain(cause).collect());
    }
}

impl Drop for super::host::Record {
    fn drop(&mut self) {
        release(self.fields.take().into_values().collect());
    }
}

fn release_arguments(arguments: &mut super::native::Arguments) {
    let keywords = std::mem::take(&mut arguments.keywords);
    release(std::mem::take(&mut arguments.positional).into_iter().chain(keywords.into_values()).collect());
}

impl Drop for super::awaitable::Awaitable {
    fn drop(&mut self) {
        use super::awaitable::Awaitable;
        match self {
            Awaitable::Call { arguments, .. }
            | Awaitable::HostCall { arguments, .. }
            | Awaitable::Service { arguments, .. } => release_arguments(arguments),
            Awaitable::Gather { parts, .. } => release(std::mem::take(parts)),
            Awaitable::WaitFor { inner, .. } | Awaitable::Shield(inner) => {
                release(vec![std::mem::replace(inner, Value::None)]);
            }
            Awaitable::Sleep { result, .. } => release(vec![std::mem::replace(result, Value::None)]),
            Awaitable::Task(_) | Awaitable::Acquire(_) | Awaitable::Happen(_) => {}
        }
    }
}

impl Drop for super::form::Form {
    fn drop(&mut self) {
        use super::form::Form;
        match self {
            Form::Union { members, .. } => release(std::mem::take(members)),
            Form::Parametrised { origin, arguments } => {
                let mut all = std::mem::take(arguments);
                all.push(std::mem::replace(origin, Value::None));
                release(all);
            }
            Form::Annotated(inner) => release(vec![std::mem::replace(inner, Value::None)]),
            Form::Special(_) | Form::Other(_) => {}
        }
    }
}

impl Drop for super::native::Native {
    fn drop(&mut self) {
        use super::native::Native;
        let mut take = |value: &mut Value| release(vec![std::mem::replace(value, Value::None)]);
        match self {
            Native::ToolDecorator { description: value }
            | Native::Wraps(value)
            | Native::Method { object: value, .. }
            | Native::HostMethod { object: value, .. }
            | Native::Bound { first: value, .. }
            | Native::Super { object: value, .. } => take(value),
            Native::Partial { callee, arguments } => {
                take(callee);
                release_arguments(arguments);
            }
            Native::Property { getter, setter } => {
                take(getter);
                setter.iter_mut().for_each(take);
            }
            Native::Field { default, factory } => {
                default.iter_mut().for_each(&mut take);
                factory.iter_mut().for_each(take);
            }
            Native::Function(_)
            | Native::Identity
            | Native::Dataclass(_)
            | Native::StaticMethod(_)
            | Native::ClassMethod(_) => {}
        }
    }
}
