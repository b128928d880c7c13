/** Tests progress of tools: in the log at most once a second, and as a sign that the tool is alive. */
import { expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { type ToolTrial, testTool, trialOf } from './test-tools.ts';
import type { ToolContext } from './tool-source.ts';

const limits = { limits: { timeoutMs: 1_000 } };

/** Starts a tool that reports when the test says so, and ends with `finish`. */
function trial() {
  let context: ToolContext | undefined;
  let finish: (value: JsonValue) => void = () => undefined;
  const tool = testTool(
    (_, given) => {
      context = given;
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    {},
    limits,
  );
  const made: ToolTrial = trialOf(tool);
  const result = made.call();
  return {
    ...made,
    result,
    report: (message: string, done = 1) => context?.progress({ done, total: 10, message }),
    finish: (value: JsonValue) => finish(value),
    started: async () => {
      while (context === undefined) await Promise.resolve();
    },
  };
}

const linesOf = ({ told }: ToolTrial): readonly string[] =>
  told.flatMap((event) => (event.type === 'log' ? [event.text] : []));

test('progress is written to the log at most once a second, without hidden characters', async () => {
  const one = trial();
  await one.started();
  one.report('first\u202e step');
  one.report('too soon', 2);
  await one.clock.advance(999);
  one.report('still too soon', 3);
  await one.clock.advance(1);
  one.report('fourth', 4);
  one.finish('done');
  await one.result;
  expect(linesOf(one)).toEqual(['look_up: first step, 1 of 10', 'look_up: fourth, 4 of 10']);
});

test('a call that reports progress has more time, but not without end', async () => {
  const one = trial();
  await one.started();
  for (let count = 0; count < 11; count++) {
    await one.clock.advance(990);
    one.report('working');
  }
  one.finish('done');
  expect(await one.result).toMatchObject({ status: 'success' });

  const endless = trial();
  await endless.started();
  let isOver = false;
  void endless.result.then(() => {
    isOver = true;
  });
  for (let count = 0; count < 30 && !isOver; count++) {
    await endless.clock.advance(900);
    endless.report('working');
  }
  expect(await endless.result).toMatchObject({ status: 'error', error_category: 'timeout' });
});

test('a call without progress ends at its timeout', async () => {
  const one = trial();
  await one.started();
  await one.clock.advance(1_000);
  expect(await one.result).toMatchObject({ status: 'error', error_category: 'timeout' });
});
