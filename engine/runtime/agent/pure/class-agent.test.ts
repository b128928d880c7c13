import { describe, expect, test } from 'vitest';
import { AgentResult, BaseAgent } from './base-agent.ts';
import { classAgent } from './class-agent.ts';

describe('MF-111 registration', () => {
  class NoName extends BaseAgent {
    readonly name = '';
    async run() {
      return AgentResult.ok();
    }
  }
  class NoRun extends BaseAgent {
    readonly name = 'shop.a';
    run = undefined as never;
  }
  class Odd extends BaseAgent {
    readonly name = 'shop.a';
    override readonly kind = 'king' as never;
    async run() {
      return AgentResult.ok();
    }
  }
  class Broken extends NoName {
    constructor() {
      super();
      throw new Error('no database');
    }
  }
  class Needy extends BaseAgent {
    readonly name = 'shop.a';
    readonly word: string;
    constructor(word: string) {
      super();
      this.word = word;
    }
    async run() {
      return AgentResult.ok({ word: this.word });
    }
  }
  test.each([
    ['a class that does not extend BaseAgent', class Alone {}, 'Alone does not extend BaseAgent'],
    ['a class without a name', NoName, 'NoName has no name'],
    ['a class without run', NoRun, 'NoRun has no method run(step)'],
    ['a kind that there is not', Odd, 'Odd has the kind "king"'],
    ['a class that cannot be instantiated', Broken, 'Broken cannot be created: no database'],
    ['a function that creates something else', () => ({}), 'does not extend BaseAgent'],
    ['an instance of a class without a name', new NoName(), 'has no name'],
    ['an instance that needs something', new Needy('x'), 'Pass a function that creates one: () => new Needy(…)'],
    ['a value that is not a class', 'planner', 'is not a class'],
  ])('rejects %s', (_what, given, words) => {
    expect(() => classAgent(given as never, 'the test')).toThrow(words);
    expect(() => classAgent(given as never, 'the test')).toThrow(/^the test: no agent was registered, because /);
  });
});
