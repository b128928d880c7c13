/** Tests agents on the command line with real Lua. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf, setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();

const fence = '`'.repeat(3);

function lua(heading: string, code: string): string {
  return `# ${heading}\n${fence}lua\n${code}\n${fence}\n`;
}

function outputsOf(stdout: string): unknown {
  const end = eventsOf(stdout).at(-1)?.event;
  return end?.type === 'run:end' ? (end.output as { outputs?: unknown } | undefined)?.outputs : undefined;
}

describe('AP-24 inputs of an agent', () => {
  test('logs a pattern that matches no file', async () => {
    cli.write('show.aip', lua('Output', 'return 1'));
    const { stdout } = await cli.call(['run', 'show.aip', '-f', '*.nothing', '--json']);
    expect(stdout).toMatch(/"level":"warn","text":"The list of inputs is empty, .* no file matches it/);
  });

  test('AP-24 -i passes text unchanged, and -f the matching files; a bare name is searched everywhere', async () => {
    cli.write('show.aip', lua('Output', 'return is_table(input) and input.path or input'));
    cli.write('notes/a/name.md', 'A');
    cli.write('notes/b/name.md', 'B');
    cli.write('name.txt', 'no');
    const texts = await cli.call(['run', 'show.aip', '-i', '{"a":1}', '-i', 'two', '--json']);
    expect(outputsOf(texts.stdout)).toEqual(['{"a":1}', 'two']);
    const files = await cli.call(['run', 'show', '-f', 'name.md', '--json']);
    expect(outputsOf(files.stdout)).toEqual(['notes/a/name.md', 'notes/b/name.md']);
    const here = await cli.call(['run', 'show.aip', '-f', './name.*', '--json']);
    expect(outputsOf(here.stdout)).toEqual(['name.txt']);
  });

  test.each([
    [['-i', 'x', '-f', '*.md'], 'Cannot use both --on-inputs and --on-files'],
    [['--input', 'a=1'], '--input is for flows'],
    [['--input-file', 'in.json'], '--input-file is for flows'],
    [['--parallel', '2'], 'input_concurrency'],
  ])('AP-24 %j is rejected', async (flags, message) => {
    cli.write('show.aip', lua('Output', 'return input'));
    const { code, stdout, stderr } = await cli.call(['run', 'show.aip', ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('an agent that calls a model', () => {
  const prompt = `# Options
${fence}toml
model = "scripted::replies.yaml"
${fence}
# System
Be brief.
# Instruction
Greet {{input}}.
${lua('Output', 'aip.file.save("answer.txt", ai_response.content)\nreturn ai_response.content')}`;
  const write = (): void => {
    cli.write('ask.aip', prompt);
    cli.write('replies.yaml', 'replies:\n  - { match: "Greet Ada", reply: "Hello Ada, from a script" }\n');
  };

  test('--dry req shows the prompts, calls no model and writes nothing', async () => {
    cli.write('ask.aip', prompt);
    const { code, stdout } = await cli.call(['run', 'ask.aip', '-i', 'Ada', '--dry', 'req']);
    expect(code).toBe(0);
    expect(stdout).toContain('-- system:\nBe brief.');
    expect(stdout).toContain('-- user:\nGreet Ada.');
    expect(existsSync(path.join(cli.folder, 'answer.txt'))).toBe(false);
  });

  test('--dry res calls the model, shows the response, and does not run Output', async () => {
    write();
    const { code, stdout } = await cli.call(['run', 'ask.aip', '-i', 'Ada', '--dry', 'res']);
    expect(code).toBe(0);
    expect(stdout).toContain('-- response:\nHello Ada, from a script');
    expect(existsSync(path.join(cli.folder, 'answer.txt'))).toBe(false);
  });

  test('prompts and responses are only shown with -v', async () => {
    write();
    const plain = await cli.call(['run', 'ask.aip', '-i', 'Ada']);
    const verbose = await cli.call(['run', 'ask.aip', '-i', 'Ada', '-v']);
    expect(plain.stdout).not.toContain('-- user:');
    expect(verbose.stdout).toMatch(/-- user:\nGreet Ada\.[\s\S]*-- response:\nHello Ada, from a script/);
    expect(readFileSync(path.join(cli.folder, 'answer.txt'), 'utf8')).toBe('Hello Ada, from a script');
  });
});

describe('an agent that cannot run', () => {
  test('prints its problems on stderr, with positions', async () => {
    cli.write('bad.aip', `# Options\n${fence}toml\ntemperature = "warm"\n${fence}\n# User\nHi\n`);
    for (const args of [
      ['run', 'bad', '--json'],
      ['run', 'bad.aip'],
      ['validate', 'bad.aip'],
    ]) {
      const { code, stdout, stderr } = await cli.call(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^bad\.aip:3:\d+ error agent\.bad-option .+\n$/);
    }
    expect(existsSync(path.join(cli.folder, '.millrace'))).toBe(false);
    const { stdout } = await cli.call(['validate', 'bad.aip', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ file: 'bad.aip', line: 3, code: 'agent.bad-option' });
  });

  test('is reported by validate, with lines: invalid Lua, unknown functions, invalid templates', async () => {
    cli.write(
      'bad.aip',
      `${lua('Data', 'local a = aip.fiel.load("x")\nreturn { b = = a }')}# User\n{{data.b}}}\n{{#if data.b}}\n`,
    );
    const { code, stdout, stderr } = await cli.call(['validate', 'bad.aip']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      'bad.aip:3:15 warning agent.unknown-function "fiel" does not exist in aip. Did you mean "file"?',
      expect.stringMatching(/^bad\.aip:4:1 error agent\.lua-syntax Lua syntax error/),
      expect.stringMatching(/^bad\.aip:8:1 error agent\.template-syntax Invalid template/),
    ]);
  });

  test('prints warnings of an agent that can run', async () => {
    cli.write('odd.aip', `# Option\n\n${lua('Output', 'return 1')}`);
    const { code, stderr } = await cli.call(['run', 'odd.aip', '--json']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^odd\.aip:1:1 warning agent\.unknown-heading .+\n$/);
  });

  test('if it does not exist: prints where it was searched', async () => {
    const { code, stdout, stderr } = await cli.call(['run', 'gone.aip']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`No agent found for local path: 'gone.aip'`);
    expect(stderr).toContain(path.join(cli.folder, 'gone.aip'));
  });

  test('if its pack is missing: exits with 4, because nothing can be asked without a terminal', async () => {
    const { code, stdout, stderr } = await cli.call(['run', 'no@such']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('no@such is not installed');
    expect((await cli.call(['runs', 'list'])).stdout).toBe('');
  });

  test('if its script fails: exits with 1 and prints the line of the file', async () => {
    cli.write('fail.aip', lua('Output', 'error("enough")'));
    const { code, stdout } = await cli.call(['run', 'fail.aip']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/enough/);
  });
});

describe('--watch', () => {
  test('runs again when the file changes, survives an invalid version, and ends on Ctrl-C', async () => {
    cli.write('w.aip', lua('Output', 'return "one"'));
    const started = cli.start(['run', 'w.aip', '-w']);
    let stderr = '';
    const whenSaid = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (stderr.includes(text)) resolve();
        };
        started.child.stderr?.on('data', (chunk) => {
          stderr += String(chunk);
          look();
        });
        look();
      });
    await whenSaid('Watching w.aip');
    cli.write('w.aip', `# Options\n${fence}toml\nmodel = 1\n${fence}\n`);
    await whenSaid('model');
    cli.write('w.aip', lua('Output', 'return "two"'));
    await started.whenPrinted('"two"');
    started.child.kill('SIGINT');
    const { code, stdout } = await started.result;
    expect(code).toBe(0);
    expect(stdout).toContain('"one"');
  });
});
