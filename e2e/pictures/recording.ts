/**
 * Records a run as an animated picture: starts the first example, waits for its question, and answers it.
 */
import { expect, type Page } from '@playwright/test';
import { card, expectRun, inspector, run } from '../window.ts';

/** A picture of the window, and how long it is shown. */
export interface Frame {
  readonly png: Buffer;
  /** Milliseconds until the next frame. */
  readonly duration: number;
}

/** More frames per second would only make the file larger. */
const minFrameMs = 90;
/** How long the last frame is shown before the recording repeats. */
const restMs = 3500;
/** Time to read the question before it is answered. */
const readingMs = 2500;

async function answerRun(page: Page): Promise<void> {
  await page.waitForTimeout(1000);
  await run(page);
  await page.getByRole('main').getByRole('button', { name: 'Review' }).first().click();
  const approve = inspector(page).getByRole('button', { name: /^Approve/ });
  await expect(approve).toBeVisible();
  await page.waitForTimeout(readingMs);
  await approve.click();
  await expectRun(page, 'completed');
  await page.waitForTimeout(500);
}

/** Records the window while the first example runs. */
export async function record(page: Page): Promise<readonly Frame[]> {
  await expect(card(page, 'Save')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toContainText('Engine ready');
  await page.waitForTimeout(1000);
  const session = await page.context().newCDPSession(page);
  const shots: { png: Buffer; at: number }[] = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    shots.push({ png: Buffer.from(data, 'base64'), at: (metadata.timestamp ?? 0) * 1000 });
    void session.send('Page.screencastFrameAck', { sessionId });
  });
  await session.send('Page.startScreencast', { format: 'png' });
  await answerRun(page);
  await session.send('Page.stopScreencast');
  await session.detach();
  const kept: typeof shots = [];
  for (const shot of shots) {
    const last = kept.at(-1);
    // A later frame replaces one that was too short to see.
    if (last !== undefined && shot.at - last.at < minFrameMs) kept[kept.length - 1] = { ...shot, at: last.at };
    else kept.push(shot);
  }
  return kept.map(({ png, at }, index) => {
    const next = kept[index + 1];
    return { png, duration: next === undefined ? restMs : Math.round(next.at - at) };
  });
}
