import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { PromptPreview } from '../../agent-editor/prompt-preview.tsx';
import type { AgentPreview } from '../../stores/agents/agent-previews.ts';
import { useOpenFile } from '../../stores/use-flow.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';

const path = 'agents/a.aip';
const text = '# System\nBe brief.\n';

const preview: AgentPreview = {
  effects: [],
  end: 'asked',
  inputNames: [],
  inputCount: 1,
  index: 0,
  input: null,
  data: null,
  dataMs: 0,
  messages: [{ role: 'system', content: 'Be brief.\n', isCached: false, attachments: [] }],
};

let window: TestWindow;
let asked: unknown[];
let answer: () => AgentPreview;
let isTrusted: boolean;

beforeEach(async () => {
  asked = [];
  answer = () => preview;
  isTrusted = true;
  window = openTestWindow({
    readAgent: () => ({ text, file: `/ws/${path}`, path, isWritable: true }),
    checkAgent: () => [],
    previewAgent: (request) => {
      asked.push(request);
      return answer();
    },
    readTrust: () => ({ isTrusted }),
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path, 'agent');
});
afterEach(() => window.close());

function Shown() {
  const file = useOpenFile(path);
  return file === undefined ? null : <PromptPreview file={file} />;
}

async function click(element: HTMLElement, name: string): Promise<void> {
  const button = [...element.querySelectorAll('button')].find((one) => one.textContent?.startsWith(name));
  if (button === undefined) throw new Error(`There is no button ${name}.`);
  act(() => button.click());
  await window.settle();
}

describe('the preview while the workspace is not trusted', () => {
  const drawnHeld = async (): Promise<HTMLElement> => {
    isTrusted = false;
    const panel = window.draw(<Shown />);
    await window.until(() => {
      expect(panel.textContent).toContain('Preview paused: this workspace is not trusted');
    });
    return panel;
  };

  test('is created only on request, and once', async () => {
    const panel = await drawnHeld();
    expect(asked).toEqual([]);
    expect(panel.querySelector('[role="alert"]')).toBeNull();
    await click(panel, 'Render preview');
    expect(asked).toEqual([{ agent: path, text, index: 0 }]);
    expect(panel.querySelector('[aria-label="System"]')?.textContent).toContain('Be brief.');
    expect(panel.textContent).not.toContain('Render preview');
    act(() => window.stores.edits.type(path, [{ start: 0, end: 0, text: '\n' }]));
    await window.until(() => {
      expect(panel.textContent).toContain('The text or the input has changed since this preview.');
    });
    expect(asked).toHaveLength(1);
    await click(panel, 'Render preview');
    expect(asked.at(-1)).toEqual({ agent: path, text: `\n${text}`, index: 0 });
    expect(panel.textContent).not.toContain('has changed since');
  });

  test('cannot be requested without an input', async () => {
    const panel = await drawnHeld();
    act(() => window.stores.agentPreviews.getState().setSource(path, { kind: 'files', files: '' }));
    const button = [...panel.querySelectorAll('button')].find((one) => one.textContent === 'Render preview');
    expect(button?.disabled).toBe(true);
  });

  test('links to the trust settings, and follows the text once trust is granted', async () => {
    const panel = await drawnHeld();
    await click(panel, 'Trust settings');
    expect(window.stores.preferences.getState().tab).toBe('trust');
    isTrusted = true;
    act(() => window.stores.preferences.setState({ isTrusted }));
    await window.until(() => {
      expect(asked).toEqual([{ agent: path, text, index: 0, isAutomatic: true }]);
    });
    await window.settle();
    expect(panel.textContent).not.toContain('Preview paused: this workspace is not trusted');
  });

  test('relies on the engine to decide whether the workspace is trusted', async () => {
    answer = () => {
      throw new EngineError({ code: 'agent.preview-untrusted', message: 'not trusted' });
    };
    const panel = window.draw(<Shown />);
    await window.until(() => {
      expect(panel.textContent).toContain('Preview paused: this workspace is not trusted');
    });
    expect(panel.querySelector('[role="alert"]')).toBeNull();
  });
});
