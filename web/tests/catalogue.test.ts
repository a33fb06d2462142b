// The texts of the page and the catalogue, compared by the syntax trees of the sources: every text is used, every code exists, and no
// component says anything that is not in the catalogue.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'svelte/compiler';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import english from '$messages/en.json';

type Tree = { type: string; [name: string]: unknown };
type Found = { strings: Set<string>; patterns: RegExp[]; loose: string[] };

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
const SPOKEN = new Set(['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription']);
const NAMES = /Longhu|龍虎|[龍虎]|Ctrl|Home|End|Esc|float:T7/g; // of the house, of keys, and of an account

function found(): Found {
  const all: Found = { strings: new Set(), patterns: [], loose: [] };
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf-8' })) {
    if (/\.(gen|d)\.ts$/.test(file) || file.endsWith('message_kinds.ts')) continue;
    const source = /\.(ts|svelte)$/.test(file) ? readFileSync(SOURCES + file, 'utf-8') : '';
    if (file.endsWith('.ts')) inScript(ts.createSourceFile(file, source, ts.ScriptTarget.Latest), all);
    if (file.endsWith('.svelte')) inComponent(parse(source, { modern: true }) as unknown as Tree, file, all);
  }
  return all;
}

function inScript(node: ts.Node, all: Found): void {
  if (ts.isStringLiteralLike(node)) all.strings.add(node.text);
  if (ts.isTemplateExpression(node)) template([node.head.text, ...node.templateSpans.map((each) => each.literal.text)], all);
  ts.forEachChild(node, (child) => inScript(child, all));
}

function inComponent(node: Tree, file: string, all: Found): void {
  if (['StyleSheet', 'StyleDirective', 'Comment'].includes(node.type)) return;
  if (node.type === 'Literal' && typeof node['value'] === 'string') all.strings.add(node['value']);
  if (node.type === 'TemplateLiteral') template((node['quasis'] as { value: { cooked: string } }[]).map((each) => each.value.cooked), all);
  if (node.type === 'Text') loose(String(node['data']), file, all);
  if (node.type === 'Attribute') {
    if (!SPOKEN.has(String(node['name'])) && !Array.isArray(node['value'])) return children(node, file, all);
    const parts = Array.isArray(node['value']) ? (node['value'] as Tree[]) : [node['value'] as Tree];
    for (const part of parts) if (part.type !== 'Text' || SPOKEN.has(String(node['name']))) inComponent(part, file, all);
    return;
  }
  children(node, file, all);
}

function children(node: Tree, file: string, all: Found): void {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Tree).type === 'string') inComponent(child as Tree, file, all);
    }
  }
}

function template(parts: string[], all: Found): void {
  if (parts.length === 1) all.strings.add(parts[0] ?? '');
  else if (parts[0]?.startsWith('page.')) all.patterns.push(new RegExp(`^${parts.map((each) => each.replaceAll('.', '\\.')).join('[a-z0-9-]+')}$`));
}

function loose(text: string, file: string, all: Found): void {
  if (/\p{Letter}{2}/u.test(text.replaceAll(NAMES, ''))) all.loose.push(`${file}: ${text.trim()}`);
}

describe('the texts of the page', () => {
  const { strings, patterns, loose: untold } = found();
  const codes = Object.keys(english).filter((code) => code.startsWith('page.'));

  it('are all used', () => expect(codes.filter((code) => !strings.has(code) && !patterns.some((each) => each.test(code)))).toEqual([]));

  it('all exist', () => {
    const used = [...strings].filter((text) => /^page\.[a-z]+\.[a-z0-9-]+$/.test(text));
    expect(used.filter((code) => !(code in english))).toEqual([]);
    expect(patterns.filter((each) => !codes.some((code) => each.test(code)))).toEqual([]);
  });

  it('are all that components say', () => expect(untold).toEqual([]));

  it('name families that are used', () => {
    const families = new Set(Object.keys(english).filter((code) => code.includes('.')).map((code) => code.split('.')[0] ?? ''));
    expect([...families].filter((family) => family !== 'page' && !strings.has(family))).toEqual([]);
  });
});
