//! Errors that Python's compiler finds in a file that parses: `await` outside a coroutine, `return`
//! outside a function, and their like.
//!
//! The checks are Ruff's; here is only the walk that tells its checker where it stands.

use std::cell::RefCell;
use std::collections::BTreeSet;

use ruff_python_ast::{
    self as ast, Expr, ModModule, PythonVersion, Stmt,
    visitor::{self, Visitor},
};
use ruff_python_parser::semantic_errors::{
    LazyImportContext, SemanticSyntaxChecker, SemanticSyntaxContext, SemanticSyntaxError,
};
use ruff_text_size::{TextRange, TextSize};

/// An error of the compiler.
pub(crate) struct CompileError {
    /// What is wrong.
    pub(crate) message: String,
    /// Where.
    pub(crate) at: TextSize,
}

/// The first error in the order of the text, if there is one.
pub(crate) fn first_compile_error(module: &ModModule, text: &str) -> Option<CompileError> {
    let mut walk = Walk {
        checker: SemanticSyntaxChecker::new(),
        place: Standing {
            scopes: vec![Scope::Module],
            loops: vec![0],
            functions: Vec::new(),
            text,
            errors: RefCell::default(),
        },
    };
    walk.visit_body(&module.body);
    let errors = walk.place.errors.into_inner();
    let first = errors.into_iter().min_by_key(|error| error.range.start())?;
    Some(CompileError { message: first.to_string(), at: first.range.start() })
}

struct Walk<'text> {
    checker: SemanticSyntaxChecker,
    place: Standing<'text>,
}

/// Where the walk stands.
struct Standing<'text> {
    scopes: Vec<Scope>,
    /// How many loops surround the place, for each function or class around it.
    loops: Vec<u32>,
    /// The names of each function around the place.
    functions: Vec<Names>,
    text: &'text str,
    errors: RefCell<Vec<SemanticSyntaxError>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Module,
    Class,
    Function { is_async: bool },
    Comprehension { is_async: bool, is_generator: bool },
}

/// The names a function binds.
struct Names {
    parameters: BTreeSet<String>,
    bound: BTreeSet<String>,
}

impl Names {
    fn of(definition: &ast::StmtFunctionDef) -> Self {
        let mut bound = BTreeSet::new();
        super::bound_names::collect(&definition.body, &mut bound);
        let parameters = definition.parameters.iter().map(|parameter| parameter.name().to_string()).collect();
        Self { parameters, bound: bound.into_iter().map(str::to_owned).collect() }
    }
}

impl Walk<'_> {
    fn inside(&mut self, scope: Scope, visit: impl FnOnce(&mut Self)) {
        self.place.scopes.push(scope);
        self.place.loops.push(0);
        visit(self);
        self.place.loops.pop();
        self.place.scopes.pop();
    }
}

impl<'tree> Visitor<'tree> for Walk<'_> {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        self.checker.visit_stmt(statement, &self.place);
        match statement {
            Stmt::FunctionDef(definition) => {
                for decorator in &definition.decorator_list {
                    self.visit_decorator(decorator);
                }
                self.visit_parameters(&definition.parameters);
                let names = Names::of(definition);
                self.place.functions.push(names);
                self.inside(Scope::Function { is_async: definition.is_async }, |own| {
                    own.visit_body(&definition.body);
                });
                self.place.functions.pop();
            }
            Stmt::ClassDef(definition) => {
                for decorator in &definition.decorator_list {
                    self.visit_decorator(decorator);
                }
                if let Some(arguments) = &definition.arguments {
                    self.visit_arguments(arguments);
                }
                self.inside(Scope::Class, |own| own.visit_body(&definition.body));
            }
            Stmt::For(ast::StmtFor { body, orelse, .. })
            | Stmt::While(ast::StmtWhile { body, orelse, .. }) => {
                match statement {
                    Stmt::For(statement) => {
                        self.visit_expr(&statement.target);
                        self.visit_expr(&statement.iter);
                    }
                    Stmt::While(statement) => self.visit_expr(&statement.test),
                    _ => {}
                }
                self.count_loop(1);
                self.visit_body(body);
                self.count_loop(-1);
                self.visit_body(orelse);
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'tree Expr) {
        self.checker.visit_expr(expression, &self.place);
        let (generators, is_generator) = match expression {
            Expr::ListComp(comprehension) => (&comprehension.generators, false),
            Expr::SetComp(comprehension) => (&comprehension.generators, false),
            Expr::DictComp(comprehension) => (&comprehension.generators, false),
            Expr::Generator(generator) => (&generator.generators, true),
            Expr::Lambda(_) => {
                self.inside(Scope::Function { is_async: false }, |own| visitor::walk_expr(own, expression));
                return;
            }
            _ => {
                visitor::walk_expr(self, expression);
                return;
            }
        };
        let is_async = generators.iter().any(|generator| generator.is_async);
        self.inside(Scope::Comprehension { is_async, is_generator }, |own| {
            visitor::walk_expr(own, expression);
        });
    }
}

impl Walk<'_> {
    fn count_loop(&mut self, by: i32) {
        if let Some(loops) = self.place.loops.last_mut() {
            *loops = loops.saturating_add_signed(by);
        }
    }
}

impl Standing<'_> {
    fn innermost(&self) -> Scope {
        self.scopes.last().copied().unwrap_or(Scope::Module)
    }

    /// The nearest scope around that is no comprehension.
    fn around(&self) -> Scope {
        let around = self.scopes.iter().rev().find(|scope| !matches!(scope, Scope::Comprehension { .. }));
        around.copied().unwrap_or(Scope::Module)
    }
}

impl SemanticSyntaxContext for Standing<'_> {
    fn future_annotations_or_stub(&self) -> bool {
        false
    }

    fn lazy_import_context(&self) -> Option<LazyImportContext> {
        None
    }

    fn python_version(&self) -> PythonVersion {
        PythonVersion::latest()
    }

    fn source(&self) -> &str {
        self.text
    }

    fn global(&self, _: &str) -> Option<TextRange> {
        None
    }

    fn has_nonlocal_binding(&self, name: &str) -> bool {
        let around = self.functions.iter().rev().skip(1);
        around.into_iter().any(|names| names.parameters.contains(name) || names.bound.contains(name))
    }

    fn in_async_context(&self) -> bool {
        matches!(self.around(), Scope::Function { is_async: true })
    }

    fn in_await_allowed_context(&self) -> bool {
        matches!(self.around(), Scope::Function { .. })
    }

    fn in_yield_allowed_context(&self) -> bool {
        matches!(self.innermost(), Scope::Function { .. })
    }

    fn in_sync_comprehension(&self) -> bool {
        self.scopes.iter().any(|scope| matches!(scope, Scope::Comprehension { is_async: false, .. }))
    }

    fn in_class_body_comprehension(&self) -> bool {
        matches!(self.innermost(), Scope::Comprehension { .. }) && self.around() == Scope::Class
    }

    fn in_module_scope(&self) -> bool {
        self.innermost() == Scope::Module
    }

    fn in_function_scope(&self) -> bool {
        matches!(self.innermost(), Scope::Function { .. })
    }

    fn in_generator_context(&self) -> bool {
        matches!(self.innermost(), Scope::Comprehension { is_generator: true, .. })
    }

    fn in_notebook(&self) -> bool {
        false
    }

    fn in_loop_context(&self) -> bool {
        self.loops.last().is_some_and(|loops| *loops > 0)
    }

    fn is_bound_parameter(&self, name: &str) -> bool {
        self.functions.last().is_some_and(|names| names.parameters.contains(name))
    }

    fn report_semantic_error(&self, error: SemanticSyntaxError) {
        self.errors.borrow_mut().push(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<usize> {
        let module = ruff_python_parser::parse_module(text).unwrap().into_syntax();
        first_compile_error(&module, text).map(|error| error.at.to_usize())
    }

    #[test]
    fn what_python_refuses_to_compile_is_found() {
        assert_eq!(first("def f():\n    await g()\n"), Some(13));
        assert_eq!(first("return 1\n"), Some(0));
        assert_eq!(first("await g()\n"), Some(0));
        assert_eq!(first("break\n"), Some(0));
        assert_eq!(first("def f():\n    yield 1\n    async with x: pass\n"), Some(25));
        assert_eq!(first("def f(a, a): pass\n"), Some(9));
        assert_eq!(first("class A:\n    return 1\n"), Some(13));
        assert_eq!(first("for i in x:\n    pass\nelse:\n    break\n"), Some(31));
        assert!(first("def f():\n    nonlocal a\n").is_some());
        assert!(first("def f(a):\n    global a\n").is_some());
        assert_eq!(first("def f(a):\n    b = 1\n    def g():\n        nonlocal a, b\n"), None);
        assert_eq!(
            first(
                "def f():\n    try:\n        pass\n    except E as e:\n        def g():\n            nonlocal e\n"
            ),
            None
        );
    }

    #[test]
    fn ordinary_code_compiles() {
        let text = "import a\n\nasync def f(x):\n    async with x as y:\n        z = [await i async for i in y]\n    for i in z:\n        if i:\n            continue\n        while True:\n            break\n    return sum(await g(i) for i in z)\n\n\ndef h():\n    yield 1\n    k = lambda: (yield)\n    for i in x:\n        def inner():\n            return 1\n        break\n    else:\n        pass\n    return k\n";
        assert_eq!(first(text), None);
    }
}
