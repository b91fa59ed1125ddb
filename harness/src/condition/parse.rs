//! From a text to the tree of a condition, over Ruff's parser of Python.
//!
//! Knows Python's syntax; why something is refused is put into words in `refusal`.
//! Rules: the grammar of contract-notes, "4. Conditions"; CND-14 to CND-18, CND-22 to CND-25, CND-31.

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{
    BoolOp, CmpOp, Expr, ExprAttribute, ExprNumberLiteral, Mod, ModExpression, Number, UnaryOp,
};
use ruff_python_parser::{Mode, lexer};
use ruff_text_size::{Ranged, TextSize};

use super::error::ConditionError;
use super::number::Integer;
use super::refusal::{self, Refused};
use super::tree::{Comparator, Expression, Literal, Reference};
use super::{MAXIMUM_LENGTH, MAXIMUM_NESTING};
use crate::source::{LineIndex, Position};

/// Reads a condition.
pub(super) fn parse(text: &str) -> Result<Expression, ConditionError> {
    if text.chars().nth(MAXIMUM_LENGTH).is_some() {
        return Err(ConditionError::TooLong);
    }
    check_brackets(text)?;
    let lines = LineIndex::of(text);
    let parsed = ruff_python_parser::parse_unchecked(text, Mode::Expression.into());
    let tokens = parsed.tokens();
    let Mod::Expression(ModExpression { body, .. }) = parsed.syntax() else {
        return Err(ConditionError::Syntax {
            message: "the text is no expression".to_owned(),
            position: Position::START,
            remedy: String::new(),
        });
    };
    match refusal::syntax(text, tokens, parsed.errors()) {
        None => Reader { text, lines: &lines, tokens }.expression(body, 0),
        Some(Refused { what, at, remedy }) => Err(ConditionError::Syntax {
            message: what,
            position: lines.position(text, at.to_usize()),
            remedy,
        }),
    }
}

/// Ruff's parser needs stack for each open bracket: too many are refused before it sees them.
fn check_brackets(text: &str) -> Result<(), ConditionError> {
    let mut lexer = lexer::lex(text, Mode::Expression);
    let mut open: usize = 0;
    // Each token but the last few takes a character.
    for _ in 0..text.len() + MAXIMUM_LENGTH {
        match lexer.next_token() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => open += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => open = open.saturating_sub(1),
            TokenKind::EndOfFile => break,
            _ => {}
        }
        if open > MAXIMUM_NESTING {
            return Err(ConditionError::TooDeep { position: Position::START });
        }
    }
    Ok(())
}

/// Turns Ruff's expressions into those of a condition.
struct Reader<'text> {
    text: &'text str,
    lines: &'text LineIndex,
    tokens: &'text [Token],
}

impl Reader<'_> {
    fn expression(&self, expression: &Expr, depth: usize) -> Result<Expression, ConditionError> {
        if depth >= MAXIMUM_NESTING {
            return Err(ConditionError::TooDeep { position: self.position(expression.start()) });
        }
        match expression {
            Expr::BoolOp(operation) => {
                let operands = operation.values.iter().map(|operand| self.expression(operand, depth + 1));
                let operands = operands.collect::<Result<Vec<_>, _>>()?;
                Ok(match operation.op {
                    BoolOp::And => Expression::And(operands),
                    BoolOp::Or => Expression::Or(operands),
                })
            }
            Expr::UnaryOp(operation) if operation.op == UnaryOp::Not => {
                Ok(Expression::Not(Box::new(self.expression(&operation.operand, depth + 1)?)))
            }
            Expr::Compare(comparison) => {
                let first = Box::new(self.expression(&comparison.left, depth + 1)?);
                let mut others = Vec::new();
                let mut left = comparison.left.as_ref();
                for (operator, right) in comparison.ops.iter().zip(&comparison.comparators) {
                    let comparator = comparator(*operator).ok_or_else(|| {
                        self.refuse(refusal::comparator(*operator, self.token_after(left.end())))
                    })?;
                    others.push((comparator, self.expression(right, depth + 1)?));
                    left = right;
                }
                Ok(Expression::Comparison { first, others })
            }
            Expr::Attribute(attribute) => self.reference(attribute),
            other => self.literal(other).map(Expression::Literal).ok_or_else(|| self.refused(other)),
        }
    }

    /// `session.<namespace>.<entry>`, exactly three segments (CND-01, CND-25).
    fn reference(&self, attribute: &ExprAttribute) -> Result<Expression, ConditionError> {
        let mut segments = vec![attribute.attr.as_str()];
        let mut base = attribute.value.as_ref();
        while let Expr::Attribute(inner) = base {
            segments.push(inner.attr.as_str());
            base = &inner.value;
        }
        let name = match base {
            Expr::Name(name) => name,
            Expr::Call(_) | Expr::Subscript(_) => return Err(self.refused(base)),
            _ => return Err(self.refuse(refusal::attribute(attribute.start()))),
        };
        segments.push(name.id.as_str());
        segments.reverse();
        match segments.as_slice() {
            ["session", namespace, entry] => Ok(Expression::Reference(Reference {
                namespace: (*namespace).to_owned(),
                entry: (*entry).to_owned(),
                position: self.position(attribute.start()),
            })),
            segments => Err(self.refuse(refusal::segments(segments, attribute.start()))),
        }
    }

    /// The literals of a condition (CND-16).
    fn literal(&self, expression: &Expr) -> Option<Literal> {
        match expression {
            Expr::StringLiteral(string) => Some(Literal::Text(string.value.to_str().to_owned())),
            Expr::BooleanLiteral(boolean) => Some(Literal::Bool(boolean.value)),
            Expr::NoneLiteral(_) => Some(Literal::None),
            Expr::NumberLiteral(number) => self.number(number),
            _ => None,
        }
    }

    fn number(&self, number: &ExprNumberLiteral) -> Option<Literal> {
        match &number.value {
            // Ruff keeps an integer of more than 64 bits as it was written, and so is each read here.
            Number::Int(_) => {
                let written = self.text.get(number.start().to_usize()..number.end().to_usize())?;
                Integer::from_literal(written).map(Literal::Integer)
            }
            Number::Float(value) => Some(Literal::Float(*value)),
            Number::Complex { .. } => None,
        }
    }

    /// Where the operator, bracket or keyword after an operand begins, outside the operand's parentheses.
    fn token_after(&self, end: TextSize) -> TextSize {
        let skipped = [TokenKind::Rpar, TokenKind::NonLogicalNewline, TokenKind::Comment];
        let after = self.tokens.iter().find(|token| token.start() >= end && !skipped.contains(&token.kind()));
        after.map_or(end, Token::start)
    }

    /// Why an expression is none of a condition.
    fn refused(&self, expression: &Expr) -> ConditionError {
        self.refuse(refusal::expression(expression, self.text, |end| self.token_after(end)))
    }

    fn refuse(&self, Refused { what, at, remedy }: Refused) -> ConditionError {
        ConditionError::NotAllowed { what, position: self.position(at), remedy }
    }

    fn position(&self, offset: TextSize) -> Position {
        self.lines.position(self.text, offset.to_usize())
    }
}

fn comparator(operator: CmpOp) -> Option<Comparator> {
    match operator {
        CmpOp::Eq => Some(Comparator::Equal),
        CmpOp::NotEq => Some(Comparator::NotEqual),
        CmpOp::Lt => Some(Comparator::Less),
        CmpOp::LtE => Some(Comparator::LessOrEqual),
        CmpOp::Gt => Some(Comparator::Greater),
        CmpOp::GtE => Some(Comparator::GreaterOrEqual),
        CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => None,
    }
}
