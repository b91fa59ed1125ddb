//! Sorting in running code.
//!
//! Asks the values how they compare; knows nothing of where they come from.
//! Rules: Python's own: what is equal keeps its order.

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::Value;
use super::site::Site;

impl Interpreter<'_> {
    /// Sorts items by themselves or by a key, as `sorted` and `list.sort` do: those that are equal keep their order.
    pub(super) fn sort(
        &mut self,
        site: Site<'_>,
        items: Vec<Value>,
        arguments: &Arguments,
    ) -> Result<Vec<Value>, Halt> {
        if let Some(name) = arguments.keywords.keys().find(|name| !matches!(&***name, "key" | "reverse")) {
            return Err(site.type_error(format!("sort() got an unexpected keyword argument '{name}'")));
        }
        let reverse = match arguments.keywords.get("reverse") {
            Some(reverse) => self.is_true(site, &reverse.clone())?,
            None => false,
        };
        let mut keyed = Vec::with_capacity(items.len());
        for item in items {
            let key = match arguments.keywords.get("key") {
                None | Some(Value::None) => item.clone(),
                Some(key) => self.run_call(site, &key.clone(), Arguments::one(item.clone()))?,
            };
            keyed.push((key, item));
        }
        if reverse {
            keyed.reverse();
        }
        let mut sorted = self.merge_sort(site, keyed)?;
        if reverse {
            sorted.reverse();
        }
        Ok(sorted.into_iter().map(|(_, item)| item).collect())
    }

    fn merge_sort(
        &mut self,
        site: Site<'_>,
        mut items: Vec<(Value, Value)>,
    ) -> Result<Vec<(Value, Value)>, Halt> {
        if items.len() < 2 {
            return Ok(items);
        }
        let right = items.split_off(items.len() / 2);
        let left = self.merge_sort(site, items)?;
        let right = self.merge_sort(site, right)?;
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some((one, _)), Some((other, _))) = (left.peek(), right.peek()) {
            self.tick(site)?;
            let takes_right = self.less(site, other, one)?;
            merged.extend(if takes_right { right.next() } else { left.next() });
        }
        merged.extend(left);
        merged.extend(right);
        Ok(merged)
    }
}
