import { expect, test } from 'vitest';
import { pruneToDeclarations } from '../api/rust.ts';

test('bodies of functions go, everything else stays', () => {
  const code = `//! Top fn comment {
use some::module; // and comment

/// Adds.
pub async fn add<const N: usize>(a: [u8; { 4 }], f: fn(i32) -> i32) -> i32
where
    T: Fn() -> u8,
{
    let some = "}";
    if a { b } else { c }
}

pub struct Data { pub r#fn: u8 }
trait T { fn x(&self); fn y(&self) { 1 } }
impl<'a> T for Data { fn x(&'a self) { '{'; '\\''; r#"}"#; b'}' } }
macro_rules! m { () => { {} } }
`;
  expect(pruneToDeclarations(code)).toBe(`//! Top fn comment {
use some::module; // and comment

/// Adds.
pub async fn add<const N: usize>(a: [u8; { 4 }], f: fn(i32) -> i32) -> i32
where
    T: Fn() -> u8,
{ ... }

pub struct Data { pub r#fn: u8 }
trait T { fn x(&self); fn y(&self) { ... } }
impl<'a> T for Data { fn x(&'a self) { ... } }
macro_rules! m { () => { {} } }
`);
});

test('modules for tests go, others keep their declarations', () => {
  const code =
    '#[cfg(test)]\n#[path = "a.rs"]\npub(crate) mod tests { fn a() {} }\nmod other { fn b() { 1 } const C: u8 = 1; }';
  expect(pruneToDeclarations(code)).toBe(
    '#[cfg(test)]\n#[path = "a.rs"]\npub(crate) mod tests { ... }\nmod other { fn b() { ... } const C: u8 = 1; }',
  );
});

test('comments, strings and lifetimes are not taken for code', () => {
  const code =
    '/* fn a() { /* } */ */ fn b<\'x>(s: &\'x str) { /* } */ "\\"}" /* { */ } // fn c() {\nconst S: &str = "fn d() { }";';
  expect(pruneToDeclarations(code)).toBe(
    '/* fn a() { /* } */ */ fn b<\'x>(s: &\'x str) { ... } // fn c() {\nconst S: &str = "fn d() { }";',
  );
});

test('source that ends too early is read as far as it goes', () => {
  expect(pruneToDeclarations('fn a() { let s = "')).toBe('fn a() { ... }');
  expect(pruneToDeclarations('fn a(')).toBe('fn a(');
  expect(pruneToDeclarations('/* open')).toBe('/* open');
  expect(pruneToDeclarations('')).toBe('');
});
