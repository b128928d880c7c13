import { expect, test } from 'vitest';
import { pruneToDeclarations } from '../api/rust.ts';

test('removes the bodies of functions and keeps everything else', () => {
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

test('removes the bodies of test modules and keeps the declarations of others', () => {
  const code =
    '#[cfg(test)]\n#[path = "a.rs"]\npub(crate) mod tests { fn a() {} }\nmod other { fn b() { 1 } const C: u8 = 1; }';
  expect(pruneToDeclarations(code)).toBe(
    '#[cfg(test)]\n#[path = "a.rs"]\npub(crate) mod tests { ... }\nmod other { fn b() { ... } const C: u8 = 1; }',
  );
});

test('does not mistake comments, strings and lifetimes for code', () => {
  const code =
    '/* fn a() { /* } */ */ fn b<\'x>(s: &\'x str) { /* } */ "\\"}" /* { */ } // fn c() {\nconst S: &str = "fn d() { }";';
  expect(pruneToDeclarations(code)).toBe(
    '/* fn a() { /* } */ */ fn b<\'x>(s: &\'x str) { ... } // fn c() {\nconst S: &str = "fn d() { }";',
  );
});

test('reads source that ends too early as far as possible', () => {
  expect(pruneToDeclarations('fn a() { let s = "')).toBe('fn a() { ... }');
  expect(pruneToDeclarations('fn a(')).toBe('fn a(');
  expect(pruneToDeclarations('/* open')).toBe('/* open');
  expect(pruneToDeclarations('')).toBe('');
});
