/**
 * Composes the sentences of explanations. Texts receive marks in place of links, so that a translation decides where
 * the links are.
 */
import { loopStepsOf, type NodeState } from '../../engine/isomorphic.ts';
import type { FactPart, FactSentence } from '../stores/assistant/talk.ts';
import { numberText } from '../ui/language.ts';
import { text } from './text.ts';

const words = text.facts;

/** Encloses the index of a link while a sentence is composed. No text contains it. */
const mark = '\u0000';
/** Names in one sentence. */
const mostNames = 8;
const mostMessage = 400;

/** Returns a mark for a link to a node or an item of it. Without `name`, the link is the name of the node. */
export type LinkTo = (node: string, name?: string) => string;

/** @param compose receives a function that creates links */
export function sentence(compose: (link: LinkTo) => string): FactSentence {
  const links: FactPart[] = [];
  const told = compose((node, name) => {
    links.push(name === undefined ? { node } : { node, words: name });
    return `${mark}${links.length - 1}${mark}`;
  });
  return told
    .split(mark)
    .map((part, index) => (index % 2 === 0 ? part : (links[Number(part)] ?? '')))
    .filter((part) => part !== '');
}

/** @param compose receives the link to the node */
export function about(node: string, compose: (node: string) => string): FactSentence {
  return sentence((link) => compose(link(node)));
}

export function plain(told: string): FactSentence {
  return [told];
}

export function quoted(told: string): string {
  const clean = told.replaceAll(mark, '').trim();
  return clean.length > mostMessage ? `${clean.slice(0, mostMessage)}…` : clean;
}

/** Returns names as part of a sentence. */
export function listed(names: readonly string[], most = mostNames): string {
  const left = names.length - most;
  return left > 0 ? words.andMore({ names: names.slice(0, most).join(', '), count: left }) : names.join(', ');
}

/** Returns a link to an item of a node: its number, in nested loops after those of the outer items. */
export function itemLink(place: string, link: LinkTo): string {
  const numbers = loopStepsOf(place).map(({ item }) => numberText(item + 1));
  return link(place, numbers.join('/'));
}

/** Returns links to the items of these nodes, which are in loops, as part of a sentence. */
export function itemList(states: readonly NodeState[], link: LinkTo, most: number): string {
  const links = states.slice(0, most).map(({ nodeId }) => itemLink(nodeId, link));
  const names =
    states.length > most ? words.andMore({ names: links.join(', '), count: states.length - most }) : links.join(', ');
  return words.items({ names, count: states.length });
}
