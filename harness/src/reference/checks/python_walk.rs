//! Finds what tool modules do to memory, by reading them.
//!
//! Sees literal calls on a parameter of an enclosing function, and what reaches behind such an object;
//! follows no value. Rules: tools-reference, "`context.memory`"; VAL-01 to VAL-12.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, Parameters, Stmt};
use ruff_text_size::{Ranged, TextSize};

/// A literal write of an entry.
pub(super) struct Write {
    /// The name as written.
    pub(super) name: String,
    /// Where it stands.
    pub(super) at: TextSize,
    /// Whether the object is a tool's context for certain: by its name or its annotation.
    pub(super) certain: bool,
}

/// Something that reaches behind `context.memory`.
pub(super) struct Bypass {
    /// What, for a message.
    pub(super) what: &'static str,
    /// Where.
    pub(super) at: TextSize,
    /// Whether it is memory for certain.
    pub(super) certain: bool,
}

/// What a module does to memory, in the order of its text.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) writes: Vec<Write>,
    pub(super) bypasses: Vec<Bypass>,
}

/// Reads a module.
pub(super) fn read(body: &[Stmt]) -> Seen {
    let mut walker = Walker { scopes: vec![Scope::default()], seen: Seen::default() };
    visitor::walk_body(&mut walker, body);
    walker.seen
}

#[derive(Default)]
struct Scope<'tree> {
    /// The parameters, and whether each is a context for certain.
    parameters: Vec<(&'tree str, bool)>,
    /// Other names for a memory object.
    aliases: Vec<&'tree str>,
}

struct Walker<'tree> {
    scopes: Vec<Scope<'tree>>,
    seen: Seen,
}

const MANAGER: &str = "_memory";

impl<'tree> Walker<'tree> {
    fn enter(&mut self, parameters: Option<&'tree Parameters>, walk: impl FnOnce(&mut Self)) {
        let named = parameters.into_iter().flat_map(Parameters::iter).map(|parameter| {
            let name = parameter.name().as_str();
            (name, name == "context" || parameter.annotation().is_some_and(names_context))
        });
        self.scopes.push(Scope { parameters: named.collect(), aliases: Vec::new() });
        walk(self);
        self.scopes.pop();
    }

    /// Whether a name is the parameter of an enclosing function, and then whether it is surely a context.
    fn parameter(&self, name: &str) -> Option<bool> {
        let named = self.scopes.iter().rev().flat_map(|scope| &scope.parameters);
        named.clone().find(|(known, _)| *known == name).map(|(_, certain)| *certain)
    }

    /// Whether an expression is somebody's memory, or a name that was given to it.
    fn is_memory(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Attribute(attribute) => matches!(attribute.attr.as_str(), "memory" | MANAGER),
            Expr::Name(name) => {
                let name = name.id.as_str();
                name == "memory" || self.scopes.iter().any(|scope| scope.aliases.contains(&name))
            }
            _ => false,
        }
    }

    fn see_call(&mut self, call: &'tree ExprCall) {
        let bypass = |what, at, certain| Bypass { what, at, certain };
        match &*call.func {
            Expr::Attribute(method) => match method.attr.as_str() {
                "set" => self.see_write(call, &method.value),
                "clear_entries" => {
                    let certain = self.is_memory(&method.value);
                    self.seen.bypasses.push(bypass("`clear_entries`", method.attr.start(), certain));
                }
                "attrgetter" => self.see_attrgetter(call),
                _ => {}
            },
            Expr::Name(name) if name.id.as_str() == "getattr" => {
                let asked = call.arguments.args.get(1).filter(|name| text(name) == Some(MANAGER));
                if let Some(argument) = asked {
                    self.seen.bypasses.push(bypass("`_memory`", argument.start(), true));
                }
            }
            Expr::Name(name) if name.id.as_str() == "attrgetter" => self.see_attrgetter(call),
            _ => {}
        }
    }

    fn see_attrgetter(&mut self, call: &'tree ExprCall) {
        for argument in &call.arguments.args {
            if text(argument).is_some_and(|path| path.split('.').any(|part| part == MANAGER)) {
                self.seen.bypasses.push(Bypass { what: "`_memory`", at: argument.start(), certain: true });
            }
        }
    }

    /// VAL-07, observed: the keyword form counts, a computed name or another name for memory does not.
    fn see_write(&mut self, call: &'tree ExprCall, object: &'tree Expr) {
        let Expr::Attribute(memory) = object else { return };
        let Expr::Name(owner) = &*memory.value else { return };
        if memory.attr.as_str() != "memory" {
            return;
        }
        let Some(certain) = self.parameter(owner.id.as_str()) else { return };
        let named = || {
            let keyword = call.arguments.find_keyword("entry");
            keyword.map(|keyword| &keyword.value)
        };
        let Some(argument) = call.arguments.args.first().or_else(named) else { return };
        if let Some(name) = text(argument) {
            self.seen.writes.push(Write { name: name.to_owned(), at: argument.start(), certain });
        }
    }
}

fn text(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::StringLiteral(literal) => Some(literal.value.to_str()),
        _ => None,
    }
}

/// Whether an annotation mentions `ToolContext`, also as a string and inside `Optional`.
fn names_context(annotation: &Expr) -> bool {
    struct Finder(bool);
    impl<'tree> Visitor<'tree> for Finder {
        fn visit_expr(&mut self, expression: &'tree Expr) {
            self.0 |= match expression {
                Expr::Name(name) => name.id.as_str() == "ToolContext",
                Expr::Attribute(attribute) => attribute.attr.as_str() == "ToolContext",
                Expr::StringLiteral(literal) => literal.value.to_str().contains("ToolContext"),
                _ => false,
            };
            visitor::walk_expr(self, expression);
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(annotation);
    finder.0
}

impl<'tree> Visitor<'tree> for Walker<'tree> {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                for decorator in &function.decorator_list {
                    self.visit_decorator(decorator);
                }
                self.enter(Some(&function.parameters), |walker| walker.visit_body(&function.body));
            }
            Stmt::Assign(assignment) => {
                visitor::walk_stmt(self, statement);
                if let [Expr::Name(name)] = assignment.targets.as_slice()
                    && self.is_memory(&assignment.value)
                    && let Some(scope) = self.scopes.last_mut()
                {
                    scope.aliases.push(name.id.as_str());
                }
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Lambda(lambda) => {
                self.enter(lambda.parameters.as_deref(), |walker| walker.visit_expr(&lambda.body));
            }
            Expr::Attribute(attribute)
                if attribute.attr.as_str() == MANAGER && self.is_memory(&attribute.value) =>
            {
                let at = attribute.attr.start();
                self.seen.bypasses.push(Bypass { what: "`_memory`", at, certain: true });
                visitor::walk_expr(self, expression);
            }
            Expr::Call(call) => {
                self.see_call(call);
                visitor::walk_expr(self, expression);
            }
            _ => visitor::walk_expr(self, expression),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The writes of a module, each with whether it is certain, and how many bypasses there are.
    fn seen(text: &str) -> (Vec<(String, bool)>, Vec<bool>) {
        let module = ruff_python_parser::parse_module(text).unwrap().into_syntax();
        let seen = read(&module.body);
        let writes = seen.writes.into_iter().map(|write| (write.name, write.certain)).collect();
        (writes, seen.bypasses.into_iter().map(|bypass| bypass.certain).collect())
    }

    #[track_caller]
    fn writes(text: &str, expected: &[(&str, bool)]) {
        let expected: Vec<_> =
            expected.iter().map(|(name, certain)| ((*name).to_owned(), *certain)).collect();
        assert_eq!(seen(text), (expected, Vec::new()), "{text}");
    }

    #[test]
    fn a_context_is_known_by_its_name_or_its_annotation() {
        writes("async def f(context): context.memory.set('a', 1)", &[("a", true)]);
        writes("def f(c: 'ToolContext | None'): c.memory.set('a' 'b', 1)", &[("ab", true)]);
        writes("def f(c: Optional[m.ToolContext]): c.memory.set(entry='a', value=1)", &[("a", true)]);
        writes("def f(device): device.memory.set('a', 1)", &[("a", false)]);
    }

    #[test]
    fn only_parameters_of_enclosing_functions_count() {
        writes("context.memory.set('a', 1)", &[]);
        writes("def f(context): pass\ncontext.memory.set('a', 1)", &[]);
        writes("def f(context):\n  def g(): context.memory.set('a', 1)", &[("a", true)]);
        writes("f = lambda context: context.memory.set('a', 1)", &[("a", true)]);
        writes("class C:\n  async def f(self, *, context): context.memory.set('a', 1)", &[("a", true)]);
    }

    #[test]
    fn what_is_not_literal_is_not_seen() {
        for call in ["set(name, 1)", "set(f'{name}', 1)", "set(*names)", "get('a')", "set()", "sets('a', 1)"]
        {
            writes(&format!("def f(context, name, names): context.memory.{call}"), &[]);
        }
        writes("def f(context): m = context.memory; m.set('a', 1)", &[]);
    }

    #[test]
    fn reaching_behind_memory_is_seen_and_own_attributes_are_not() {
        let bypasses = |body: &str| seen(&format!("def f(self, context, log):\n  {body}")).1;
        assert_eq!(bypasses("context.memory._memory.x()"), [true]);
        assert_eq!(bypasses("m = context.memory\n  m._memory"), [true]);
        assert_eq!(bypasses("getattr(context.memory, '_memory', None)"), [true]);
        assert_eq!(bypasses("operator.attrgetter('memory._memory')(context)"), [true]);
        assert_eq!(bypasses("context.memory.clear_entries(['a'])"), [true]);
        assert_eq!(bypasses("log.clear_entries()"), [false]);
        assert_eq!(bypasses("self._memory = []; getattr(self, 'memory'); self.memory.x"), [false; 0]);
    }
}
