//! Expressions.
//!
//! One value for one expression; what cannot be read is unknown, never guessed.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::Ranged;

use super::exception::Halt;
use super::form::Form;
use super::function::{Annotation, Code, Function};
use super::importer::raise;
use super::interpreter::{Frame, Interpreter, MAXIMUM_TEXT, code_name};
use super::scope::Lookup;
use super::standard;
use super::value::{Dict, Value};

impl Interpreter<'_> {
    /// Evaluates an expression.
    pub(crate) fn evaluate(&mut self, frame: &Frame, expression: &Expr) -> Result<Value, Halt> {
        if self.running.is_some() {
            return self.run_expression(frame, expression);
        }
        self.step(frame, expression.range())?;
        let value = self.nested(frame, expression.range(), |own| own.evaluate_inner(frame, expression))?;
        let value = match expression {
            Expr::Name(_) | Expr::StringLiteral(_) | Expr::Attribute(_) => value,
            _ => self.bounded(frame, expression.range(), value),
        };
        Ok(value)
    }

    fn evaluate_inner(&mut self, frame: &Frame, expression: &Expr) -> Result<Value, Halt> {
        match expression {
            Expr::Name(name) => Self::name(frame, name),
            Expr::StringLiteral(literal) => Ok(Value::text(literal.value.to_str())),
            Expr::NumberLiteral(literal) => Ok(match &literal.value {
                ast::Number::Int(integer) => match integer.as_i64() {
                    Some(integer) => Value::Int(integer),
                    None => self.unknown(frame, literal.range, "a number beyond 64 bits is not read"),
                },
                ast::Number::Float(float) => Value::Float(*float),
                ast::Number::Complex { .. } => Value::Opaque(Rc::from("complex number")),
            }),
            Expr::BooleanLiteral(literal) => Ok(Value::Bool(literal.value)),
            Expr::NoneLiteral(_) => Ok(Value::None),
            Expr::EllipsisLiteral(_) => Ok(Value::Opaque(Rc::from("..."))),
            Expr::BytesLiteral(_) => Ok(Value::Opaque(Rc::from("bytes"))),
            Expr::FString(literal) => self.f_string(frame, literal),
            Expr::Tuple(tuple) => Ok(match self.elements(frame, &tuple.elts)? {
                Some(items) => Value::Tuple(items.into()),
                None => self.unknown(frame, tuple.range, "a part of this tuple is not known"),
            }),
            Expr::List(list) => Ok(match self.elements(frame, &list.elts)? {
                Some(items) => Value::list(items),
                None => self.unknown(frame, list.range, "a part of this list is not known"),
            }),
            Expr::Set(set) => {
                let items = self.elements(frame, &set.elts)?;
                // What reading does not ask of a set, running may.
                let read = items.and_then(Value::set);
                Ok(read.unwrap_or_else(|| Value::Opaque(Rc::from("set"))))
            }
            Expr::Dict(dict) => self.dict(frame, dict),
            Expr::BoolOp(operation) => self.bool_operation(frame, operation),
            Expr::UnaryOp(operation) => {
                let operand = self.evaluate(frame, &operation.operand)?;
                Ok(self.unary(frame, operation, &operand))
            }
            Expr::BinOp(operation) => {
                let left = self.evaluate(frame, &operation.left)?;
                let right = self.evaluate(frame, &operation.right)?;
                self.binary(frame, operation.range, operation.op, &left, &right)
            }
            Expr::Compare(comparison) => self.compare(frame, comparison),
            Expr::If(choice) => match self.evaluate(frame, &choice.test)?.truth() {
                Some(true) => self.evaluate(frame, &choice.body),
                Some(false) => self.evaluate(frame, &choice.orelse),
                None => {
                    Self::forget_named(frame, [&*choice.body, &*choice.orelse]);
                    let why = format!("it depends on `{}`", frame.file.excerpt(choice.test.range()));
                    Ok(self.unknown(frame, choice.range, why))
                }
            },
            Expr::Named(named) => {
                let value = self.evaluate(frame, &named.value)?;
                if let Expr::Name(name) = named.target.as_ref() {
                    frame.scope.named_scope().assign(&name.id, value.clone());
                }
                Ok(value)
            }
            Expr::Lambda(lambda) => self.lambda(frame, lambda),
            Expr::Call(call) => self.call_expression(frame, call),
            Expr::Attribute(attribute) => {
                let object = self.evaluate(frame, &attribute.value)?;
                self.attribute(frame, &object, attribute)
            }
            Expr::Subscript(subscript) => self.subscript(frame, subscript),
            Expr::Starred(starred) => self.evaluate(frame, &starred.value),
            Expr::ListComp(comprehension) => {
                self.comprehension(frame, &comprehension.elt, &comprehension.generators, comprehension.range)
            }
            Expr::Generator(generator) => {
                let items =
                    self.comprehension(frame, &generator.elt, &generator.generators, generator.range)?;
                // How far it runs is up to who asks for its items.
                let tests = generator.generators.iter().flat_map(|part| &part.ifs);
                Self::forget_named(frame, tests.chain([&*generator.elt]));
                Ok(items)
            }
            Expr::DictComp(comprehension) => self.dict_comprehension(frame, comprehension),
            Expr::SetComp(comprehension) => self.set_comprehension(frame, comprehension),
            Expr::Await(awaited) => {
                self.evaluate(frame, &awaited.value)?;
                Ok(self.await_value(frame, awaited.range))
            }
            Expr::Yield(_)
            | Expr::YieldFrom(_)
            | Expr::TString(_)
            | Expr::Slice(_)
            | Expr::IpyEscapeCommand(_) => {
                self.doubt();
                Ok(self.unknown(frame, expression.range(), "what this expression gives is not read"))
            }
        }
    }

    fn name(frame: &Frame, name: &ast::ExprName) -> Result<Value, Halt> {
        match frame.scope.lookup(&name.id) {
            Lookup::Bound(value) => Ok(value),
            Lookup::Perhaps(unknown) => Ok(standard::builtin(&name.id).unwrap_or(Value::Unknown(unknown))),
            Lookup::Missing => standard::builtin(&name.id).ok_or_else(|| {
                raise("NameError", format!("name '{}' is not defined", name.id), &frame.place(name.range))
            }),
        }
    }

    /// The items of a display; `None` when a starred part is not known.
    pub(super) fn elements(&mut self, frame: &Frame, elements: &[Expr]) -> Result<Option<Vec<Value>>, Halt> {
        let mut items = Vec::with_capacity(elements.len());
        let mut known = true;
        for element in elements {
            let value = self.evaluate(frame, element)?;
            if element.is_starred_expr() {
                match self.known_items(Some(&value)) {
                    Some(more) => items.extend(more),
                    None => known = false,
                }
            } else {
                items.push(value);
            }
        }
        Ok(known.then_some(items))
    }

    fn dict(&mut self, frame: &Frame, display: &ast::ExprDict) -> Result<Value, Halt> {
        let dict = Dict::default();
        for item in &display.items {
            let value = self.evaluate(frame, &item.value)?;
            let Some(key) = &item.key else {
                match value {
                    Value::Dict(other) if !other.tainted.get() => {
                        let other = other.entries.borrow();
                        dict.entries
                            .borrow_mut()
                            .extend(other.iter().map(|(key, entry)| (key.clone(), entry.clone())));
                    }
                    _ => dict.tainted.set(true),
                }
                continue;
            };
            let key = self.evaluate(frame, key)?;
            match key.key() {
                Some(hashed) => {
                    dict.entries.borrow_mut().insert(hashed, (key, value));
                }
                None if matches!(key, Value::List(_) | Value::Dict(_)) => {
                    let place = frame.place(item.value.range());
                    return Err(raise("TypeError", "unhashable type".to_owned(), &place));
                }
                None => dict.tainted.set(true),
            }
        }
        Ok(Value::Dict(Rc::new(dict)))
    }

    fn f_string(&mut self, frame: &Frame, literal: &ast::ExprFString) -> Result<Value, Halt> {
        let mut text = String::new();
        let mut known = true;
        for part in &literal.value {
            let elements = match part {
                ast::FStringPart::Literal(literal) => {
                    text.push_str(&literal.value);
                    continue;
                }
                ast::FStringPart::FString(part) => &part.elements,
            };
            for element in elements {
                match element {
                    ast::InterpolatedStringElement::Literal(literal) => text.push_str(&literal.value),
                    ast::InterpolatedStringElement::Interpolation(interpolation) => {
                        match self.interpolated(frame, interpolation)? {
                            Some(shown) if text.len() <= MAXIMUM_TEXT => text.push_str(&shown),
                            _ => known = false,
                        }
                    }
                }
            }
        }
        if known {
            return Ok(Value::text(&text));
        }
        self.doubt();
        Ok(self.unknown(frame, literal.range, "a part of this f-string is not known"))
    }

    /// What one `{…}` of an f-string shows; `None` when that is not known.
    fn interpolated(
        &mut self,
        frame: &Frame,
        interpolation: &ast::InterpolatedElement,
    ) -> Result<Option<String>, Halt> {
        let value = self.evaluate(frame, &interpolation.expression)?;
        let conversion = match interpolation.conversion {
            ast::ConversionFlag::None => "",
            ast::ConversionFlag::Str => "s",
            ast::ConversionFlag::Repr => "r",
            ast::ConversionFlag::Ascii => "a",
        };
        let mut specification = String::new();
        for element in interpolation.format_spec.iter().flat_map(|format| &format.elements) {
            match element {
                ast::InterpolatedStringElement::Literal(literal) => specification.push_str(&literal.value),
                ast::InterpolatedStringElement::Interpolation(inner) => {
                    match self.interpolated(frame, inner)? {
                        Some(shown) => specification.push_str(&shown),
                        None => return Ok(None),
                    }
                }
            }
        }
        let plain = interpolation.debug_text.is_none();
        Ok(super::formatting::converted(&value, conversion, &specification).filter(|_| plain))
    }

    pub(super) fn lambda(&mut self, frame: &Frame, lambda: &ast::ExprLambda) -> Result<Value, Halt> {
        let code = Code::Lambda(Rc::new(lambda.clone()));
        let parameters = lambda.parameters.as_deref();
        let function = self.make_function(frame, code, parameters, Vec::new(), lambda.range)?;
        Ok(Value::Function(Rc::new(function)))
    }

    pub(super) fn define_function(
        &mut self,
        frame: &Frame,
        definition: &ast::StmtFunctionDef,
    ) -> Result<(), Halt> {
        let mut decorators = Vec::new();
        for decorator in &definition.decorator_list {
            decorators.push((self.evaluate(frame, &decorator.expression)?, decorator.range));
        }
        let mut annotations = Vec::new();
        for parameter in &definition.parameters {
            let name: Rc<str> = Rc::from(parameter.name().as_str());
            let annotation = match parameter.annotation() {
                None => Annotation::Missing,
                Some(annotation) if frame.file.postponed_annotations => {
                    Annotation::Postponed(Rc::new(annotation.clone()))
                }
                Some(annotation) => Annotation::Evaluated(self.annotation(frame, definition, annotation)?),
            };
            annotations.push((name, annotation));
        }
        if let (Some(returns), false) = (&definition.returns, frame.file.postponed_annotations) {
            self.annotation(frame, definition, returns)?;
        }
        let code = Code::Definition(Rc::new(definition.clone()));
        let parameters = Some(definition.parameters.as_ref());
        let function = self.make_function(frame, code, parameters, annotations, definition.name.range)?;
        let mut value = Value::Function(Rc::new(function));
        for (decorator, range) in decorators.into_iter().rev() {
            value = self.decorate(frame, range, &decorator, &value)?;
        }
        frame.scope.assign(&definition.name, value);
        Ok(())
    }

    /// Evaluates an annotation; a function's own type parameters are type variables in it.
    fn annotation(
        &mut self,
        frame: &Frame,
        definition: &ast::StmtFunctionDef,
        annotation: &Expr,
    ) -> Result<Value, Halt> {
        let Some(parameters) = &definition.type_params else { return self.evaluate(frame, annotation) };
        let scope = super::interpreter::call_scope(&frame.scope);
        for parameter in &parameters.type_params {
            let name = parameter.name().as_str();
            scope.assign(name, Value::Form(Rc::new(Form::Other(Rc::from(name)))));
        }
        self.evaluate(&frame.inside(scope), annotation)
    }

    fn make_function(
        &mut self,
        frame: &Frame,
        code: Code,
        parameters: Option<&ast::Parameters>,
        annotations: Vec<(Rc<str>, Annotation)>,
        range: ruff_text_size::TextRange,
    ) -> Result<Function, Halt> {
        let mut defaults = Vec::new();
        for parameter in parameters.into_iter().flat_map(ast::Parameters::iter_non_variadic_params) {
            defaults.push(match parameter.default() {
                Some(default) => Some(self.evaluate(frame, default)?),
                None => None,
            });
        }
        Ok(Function {
            name: code_name(&code).into(),
            code,
            defaults,
            annotations,
            scope: Rc::clone(&frame.scope),
            module: Rc::clone(&frame.module),
            file: Rc::clone(&frame.file),
            place: frame.place(range),
            names: std::cell::OnceCell::new(),
            range,
            wrapped: None.into(),
            tool: None.into(),
        })
    }
}
