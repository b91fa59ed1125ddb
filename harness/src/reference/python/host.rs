//! What the runtime lends to Python code: objects, and the outside that awaiting reaches.
//!
//! Knows no contract: which objects there are and what they do is the lender's affair.

use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;

use indexmap::IndexMap;

use super::native::Arguments;
use super::value::Value;
use crate::protocol::{Awaited, Json, ServiceOutcome, ServiceResult, SourcePlace};

/// An object of the runtime, as Python code sees it.
pub(crate) trait HostObject: Debug {
    /// The name of its class.
    fn class_name(&self) -> &'static str;

    /// An attribute that is not a method.
    fn attribute(&self, name: &str) -> Option<Value>;

    /// The names of its methods.
    fn methods(&self) -> &'static [&'static str];

    /// Whether a method is a coroutine: it does its work when it is awaited.
    fn is_coroutine_method(&self, _name: &str) -> bool {
        false
    }

    /// Calls a method; `None` when there is no such method.
    fn call_method(&self, name: &str, arguments: &Arguments) -> Option<Result<Value, HostRaise>>;
}

/// An exception that the runtime raises in Python code.
#[derive(Clone, Debug)]
pub(crate) struct HostRaise {
    /// The name of its class.
    pub(crate) class: &'static str,
    /// Its message.
    pub(crate) message: String,
}

/// A plain object with named fields: a `ToolResult`, a `Button`, an event.
#[derive(Debug)]
pub(crate) struct Record {
    /// The name of its class.
    pub(crate) class: Rc<str>,
    /// Its fields, in order.
    pub(crate) fields: RefCell<IndexMap<Rc<str>, Value>>,
}

/// Where services and suspensions of Python code are seen.
pub(crate) trait Outside {
    /// A service is called: what it will do, and a number for [`Outside::end_service`].
    fn begin_service(
        &self,
        name: &str,
        arguments: Vec<Json>,
        keywords: IndexMap<String, Json>,
    ) -> ServiceStart;

    /// The call of a service has ended.
    fn end_service(&self, number: usize, outcome: ServiceOutcome);

    /// The code is suspended: the number of the suspension for [`Outside::end_await`].
    fn begin_await(&self, what: &str, place: &SourcePlace) -> usize;

    /// A suspension has ended.
    fn end_await(&self, number: usize, ended: Awaited);

    /// What a monotonic clock shows, in virtual seconds.
    fn seconds(&self) -> f64;

    /// Whether the turn is to be cut off at the suspension that begins now.
    fn cuts_off_here(&self) -> bool;
}

/// How a service call goes.
pub(crate) struct ServiceStart {
    /// The number of the call.
    pub(crate) number: usize,
    /// How long it takes, in virtual milliseconds.
    pub(crate) takes_ms: u64,
    /// How it ends.
    pub(crate) ends: ServiceResult,
}
