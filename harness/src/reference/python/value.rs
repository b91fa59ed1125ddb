//! Python values, as far as the contract needs them, and what is not known of the others.
//!
//! Knows nothing of statements. Three kinds stand for what is not modelled: [`Value::Opaque`] is a named
//! thing of the standard library, [`Value::Made`] a function changed by a decorator that cannot be read,
//! [`Value::Unknown`] anything else; nothing is ever guessed about them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;

use super::awaitable::Awaitable;
use super::class::{Class, Instance};
use super::containers::{Range, Set, Tuple, View, ViewKind};
use super::exception::ExceptionValue;
use super::form::{BasicType, Form};
use super::function::Function;
use super::host::{HostObject, Record};
use super::iteration::Iteration;
use super::module::Module;
use super::native::Native;
use super::primitive::Primitive;
use crate::protocol::SourcePlace;

/// A Python value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// `None`.
    None,
    /// A boolean.
    Bool(bool),
    /// An integer of 64 bits; larger ones are unknown.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string.
    Text(Rc<str>),
    /// A tuple.
    Tuple(Tuple),
    /// A list.
    List(Rc<List>),
    /// A dict.
    Dict(Rc<Dict>),
    /// A set or a frozen set.
    Set(Rc<Set>),
    /// A `range`.
    Range(Range),
    /// A view of a dict.
    View(Rc<View>),
    /// An iterator.
    Iterator(Rc<Iteration>),
    /// A lock, an event or another thing to wait with.
    Primitive(Rc<Primitive>),
    /// A function written in Python.
    Function(Rc<Function>),
    /// A class written in Python.
    Class(Rc<Class>),
    /// An instance of a class written in Python.
    Instance(Rc<Instance>),
    /// An object of the runtime.
    Host(Rc<dyn HostObject>),
    /// A plain object with named fields.
    Record(Rc<Record>),
    /// Something that can be awaited.
    Awaitable(Rc<Awaitable>),
    /// A member of an enumeration written in Python.
    Member(Rc<Member>),
    /// A function or decorator that the reference provides.
    Native(Rc<Native>),
    /// A built-in type.
    Type(BasicType),
    /// A type form such as `Optional[int]`.
    Form(Rc<Form>),
    /// A built-in exception class, or an instance of one.
    Exception(Rc<ExceptionValue>),
    /// A module.
    Module(Rc<Module>),
    /// A thing of the standard library that is not modelled, by its dotted path.
    Opaque(Rc<str>),
    /// A function as changed by a decorator that cannot be read.
    Made(Rc<Made>),
    /// Not known.
    Unknown(Rc<Unknown>),
}

/// A list and whether its content is still known.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// What it holds.
    pub(crate) items: RefCell<Vec<Value>>,
    /// Set once something unreadable may have changed it.
    pub(crate) tainted: Cell<bool>,
}

/// A dict and whether its content is still known.
#[derive(Debug, Default)]
pub(crate) struct Dict {
    /// What it holds, in order.
    pub(crate) entries: RefCell<IndexMap<Key, (Value, Value)>>,
    /// Set once something unreadable may have changed it.
    pub(crate) tainted: Cell<bool>,
}

/// A dict key by Python's equality.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// `None`.
    None,
    /// An integer, or a boolean, which equals one.
    Int(i64),
    /// A float that equals no integer, by its bits.
    Float(u64),
    /// A string.
    Text(Rc<str>),
    /// A tuple of keys.
    Tuple(Vec<Key>),
    /// An object that equals itself alone, by its address.
    Object(usize),
}

/// A member of an enumeration.
#[derive(Debug)]
pub(crate) struct Member {
    /// The enumeration.
    pub(crate) class: Rc<Class>,
    /// The member's name.
    pub(crate) name: Rc<str>,
    /// Its value, as it was written.
    pub(crate) value: Value,
}

/// What a decorator that cannot be read made of a function.
#[derive(Debug)]
pub(crate) struct Made {
    /// The function it was given.
    pub(crate) function: Rc<Function>,
    /// Why the decorator cannot be read.
    pub(crate) by: Rc<Unknown>,
    /// The description, when `@tool` was applied to the result.
    pub(crate) tool: RefCell<Option<Value>>,
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unknown {
    /// The reason, a lower-case fragment.
    pub(crate) why: String,
    /// Where knowledge ended.
    pub(crate) place: SourcePlace,
    /// Whether it is the standard library's doing, which marks no function as a tool.
    pub(crate) standard: bool,
}

impl Unknown {
    /// Something unknown for a reason, from a place on.
    pub(crate) fn new(why: impl Into<String>, place: SourcePlace) -> Rc<Self> {
        Rc::new(Self { why: why.into(), place, standard: false })
    }
}

impl Value {
    /// A string.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(Rc::from(text))
    }

    /// A tuple of values.
    pub(crate) fn tuple(items: Vec<Self>) -> Self {
        Self::Tuple(Tuple::from(items))
    }

    /// Whether it holds no other values, so that letting it go is cheap.
    pub(crate) fn is_flat(&self) -> bool {
        matches!(
            self,
            Self::None
                | Self::Bool(_)
                | Self::Int(_)
                | Self::Float(_)
                | Self::Text(_)
                | Self::Range(_)
                | Self::Type(_)
                | Self::Opaque(_)
                | Self::Unknown(_)
        )
    }

    /// A list of values.
    pub(crate) fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(List { items: RefCell::new(items), tainted: Cell::new(false) }))
    }

    /// A dict with string keys.
    pub(crate) fn dict(entries: impl IntoIterator<Item = (Rc<str>, Self)>) -> Self {
        let entries =
            entries.into_iter().map(|(name, value)| (Key::Text(Rc::clone(&name)), (Self::Text(name), value)));
        Self::Dict(Rc::new(Dict { entries: RefCell::new(entries.collect()), tainted: Cell::new(false) }))
    }

    /// Whether the value counts as true; `None` when that is not known.
    pub(crate) fn truth(&self) -> Option<bool> {
        match self {
            Self::None => Some(false),
            Self::Bool(value) => Some(*value),
            Self::Int(value) => Some(*value != 0),
            Self::Float(value) => Some(*value != 0.0),
            Self::Text(text) => Some(!text.is_empty()),
            Self::Tuple(items) => Some(!items.is_empty()),
            Self::List(list) => (!list.tainted.get()).then(|| !list.items.borrow().is_empty()),
            Self::Dict(dict) => (!dict.tainted.get()).then(|| !dict.entries.borrow().is_empty()),
            Self::Set(set) => (!set.tainted.get()).then(|| !set.items.borrow().is_empty()),
            Self::Range(range) => Some(range.length() > 0),
            Self::View(view) => (!view.dict.tainted.get()).then(|| !view.dict.entries.borrow().is_empty()),
            Self::Function(_)
            | Self::Class(_)
            | Self::Native(_)
            | Self::Type(_)
            | Self::Form(_)
            | Self::Iterator(_)
            | Self::Primitive(_)
            | Self::Exception(_)
            | Self::Host(_)
            | Self::Record(_)
            | Self::Awaitable(_)
            | Self::Module(_) => Some(true),
            Self::Instance(_) | Self::Member(_) | Self::Opaque(_) | Self::Made(_) | Self::Unknown(_) => None,
        }
    }

    /// The value as a dict key; `None` when it cannot be compared by value.
    pub(crate) fn key(&self) -> Option<Key> {
        match self {
            Self::None => Some(Key::None),
            Self::Bool(value) => Some(Key::Int(i64::from(*value))),
            Self::Int(value) => Some(Key::Int(*value)),
            Self::Float(value) => Some(float_key(*value)),
            Self::Text(text) => Some(Key::Text(Rc::clone(text))),
            Self::Tuple(items) => items.iter().map(Self::key).collect::<Option<_>>().map(Key::Tuple),
            _ => None,
        }
    }

    /// Whether two values are equal; `None` when that is not known.
    pub(crate) fn equals(&self, other: &Self) -> Option<bool> {
        if let (Some(left), Some(right)) = (self.key(), other.key()) {
            return Some(left == right);
        }
        if self.is(other) {
            return Some(true);
        }
        match (self, other) {
            (Self::Type(left), Self::Type(right)) => Some(left == right),
            (
                Self::None,
                Self::Function(_) | Self::Class(_) | Self::Module(_) | Self::List(_) | Self::Dict(_),
            )
            | (
                Self::Function(_) | Self::Class(_) | Self::Module(_) | Self::List(_) | Self::Dict(_),
                Self::None,
            ) => Some(false),
            _ => None,
        }
    }

    /// Whether two values are the same object, as far as identity is modelled.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Type(left), Self::Type(right)) => left == right,
            (Self::List(left), Self::List(right)) => Rc::ptr_eq(left, right),
            (Self::Dict(left), Self::Dict(right)) => Rc::ptr_eq(left, right),
            (Self::Function(left), Self::Function(right)) => Rc::ptr_eq(left, right),
            (Self::Class(left), Self::Class(right)) => Rc::ptr_eq(left, right),
            (Self::Module(left), Self::Module(right)) => Rc::ptr_eq(left, right),
            (Self::Member(left), Self::Member(right)) => {
                Rc::ptr_eq(&left.class, &right.class) && left.name == right.name
            }
            (Self::Native(left), Self::Native(right)) => {
                let function =
                    |native: &Native| if let Native::Function(one) = native { Some(*one) } else { None };
                Rc::ptr_eq(left, right) || function(left).is_some() && function(left) == function(right)
            }
            (Self::Form(left), Self::Form(right)) => Rc::ptr_eq(left, right),
            (Self::Opaque(left), Self::Opaque(right)) => left == right,
            (Self::Made(left), Self::Made(right)) => Rc::ptr_eq(left, right),
            (Self::Instance(left), Self::Instance(right)) => Rc::ptr_eq(left, right),
            (Self::Record(left), Self::Record(right)) => Rc::ptr_eq(left, right),
            (Self::Host(left), Self::Host(right)) => Rc::ptr_eq(left, right),
            (Self::Awaitable(left), Self::Awaitable(right)) => Rc::ptr_eq(left, right),
            (Self::Unknown(left), Self::Unknown(right)) => Rc::ptr_eq(left, right),
            (Self::Tuple(left), Self::Tuple(right)) => left.is(right),
            (Self::Set(left), Self::Set(right)) => Rc::ptr_eq(left, right),
            (Self::View(left), Self::View(right)) => Rc::ptr_eq(left, right),
            (Self::Iterator(left), Self::Iterator(right)) => Rc::ptr_eq(left, right),
            (Self::Primitive(left), Self::Primitive(right)) => Rc::ptr_eq(left, right),
            (Self::Exception(left), Self::Exception(right)) => {
                Rc::ptr_eq(left, right)
                    || left.message.is_none() && right.message.is_none() && left.class == right.class
            }
            _ => false,
        }
    }

    /// What `str(value)` gives; `None` when that is not known.
    pub(crate) fn display(&self) -> Option<String> {
        super::methods::display(self)
    }

    /// The items of a list or tuple.
    pub(crate) fn items(&self) -> Option<Vec<Self>> {
        match self {
            Self::List(list) => Some(list.items.borrow().clone()),
            Self::Tuple(items) => Some(items.to_vec()),
            _ => None,
        }
    }

    /// The name of the value's class, as `type(value).__name__` gives it.
    pub(crate) fn class_name(&self) -> Rc<str> {
        Rc::from(match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "str",
            Self::Tuple(_) => "tuple",
            Self::List(_) => "list",
            Self::Dict(_) => "dict",
            Self::Set(set) if set.frozen => "frozenset",
            Self::Set(_) => "set",
            Self::Range(_) => "range",
            Self::View(view) => match view.kind {
                ViewKind::Keys => "dict_keys",
                ViewKind::Values => "dict_values",
                ViewKind::Items => "dict_items",
            },
            Self::Iterator(iteration) => iteration.class_name(),
            Self::Primitive(primitive) => primitive.class_name(),
            Self::Function(_) => "function",
            Self::Instance(instance) => return Rc::clone(&instance.class.name),
            Self::Member(member) => return Rc::clone(&member.class.name),
            Self::Host(object) => object.class_name(),
            Self::Record(record) => return Rc::clone(&record.class),
            Self::Awaitable(_) => "coroutine",
            Self::Exception(exception) if exception.message.is_some() => return Rc::clone(&exception.class),
            Self::Class(_) | Self::Type(_) | Self::Exception(_) => "type",
            Self::Module(_) => "module",
            Self::Native(_) => "builtin_function_or_method",
            Self::Form(_) | Self::Opaque(_) | Self::Made(_) | Self::Unknown(_) => "object",
        })
    }

    /// Whether two bindings certainly hold the same value.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.is(other) || matches!((self.key(), other.key()), (Some(left), Some(right)) if left == right)
    }

    /// Whether nothing can be iterated here, certainly.
    pub(crate) fn is_never_iterable(&self) -> bool {
        matches!(
            self,
            Self::None | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Function(_) | Self::Module(_)
        )
    }

    /// Notes that something unreadable may have changed this value.
    pub(crate) fn taint(&self) {
        match self {
            Self::List(list) => list.tainted.set(true),
            Self::Dict(dict) => dict.tainted.set(true),
            Self::Set(set) => set.tainted.set(true),
            Self::View(view) => view.dict.tainted.set(true),
            _ => {}
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "guarded by the comparison with the truncated value")]
#[expect(
    clippy::float_cmp,
    clippy::cast_precision_loss,
    reason = "a key only has to agree with the integer it came from"
)]
fn float_key(value: f64) -> Key {
    let integer = value as i64;
    if value.abs() < 9.0e18 && integer as f64 == value {
        Key::Int(integer)
    } else {
        Key::Float(value.to_bits())
    }
}
