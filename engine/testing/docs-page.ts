/**
 * Executes a documentation page as a reader would: writes its files to a folder, runs its commands there, and compares
 * what they print with what the page shows.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CliProgram, type CliResult, callCli } from './cli-program.ts';
import { type DocsBlock, type DocsProblem, readDocsBlocks } from './docs-blocks.ts';
import { findSyntaxError, isCheckedLanguage } from './docs-code.ts';

export interface DocsPageWorld {
  /** Absolute path of an empty folder: the page's workspace. */
  readonly folder: string;
  /** Absolute path of an empty folder: the base folder, with settings and packs. */
  readonly home: string;
  /** Host and port of a local model server, which takes the place of port 11434 of this machine. */
  readonly modelServer: string;
  /** The program for commands that read stdin. */
  readonly builtCli: () => Promise<CliProgram>;
}

/** Names of the base folder in `file=`. */
const baseFolder = '~/.aipack-base/';
const modelPort = /(?:127\.0\.0\.1|localhost):11434/g;
/** Files with these names are validated. */
const validated = /\.(flow\.yaml|aip|dialogue\.yaml)$/;

/** Executes all code blocks of a page in order. Returns the problems, each with its line in the page. */
export async function runDocsPage(text: string, world: DocsPageWorld): Promise<readonly DocsProblem[]> {
  const { blocks, problems } = readDocsBlocks(text);
  const page = new DocsPage(world, problems);
  writeIn(world.home, 'config-default.toml', `[providers.ollama]\nbase_url = "http://${world.modelServer}/v1"\n`);
  for (const block of blocks) await page.execute(block);
  await page.validateFiles('');
  return page.problems.sort((a, b) => a.line - b.line);
}

class DocsPage {
  readonly problems: DocsProblem[];
  readonly #world: DocsPageWorld;
  /** Files that haven't been validated yet, with the lines of their blocks. */
  readonly #unchecked = new Map<string, number>();
  #printed: Omit<CliResult, 'code'> | undefined;

  constructor(world: DocsPageWorld, problems: readonly DocsProblem[]) {
    this.#world = world;
    this.problems = [...problems];
  }

  async execute(block: DocsBlock): Promise<void> {
    const printed = this.#printed;
    if (block.shows === undefined) this.#printed = undefined;
    if (block.skip !== undefined) return;
    if (block.language === 'sh' && block.file === undefined) return await this.#runCommands(block);
    if (block.shows !== undefined) return this.#compare(block, printed?.[block.shows]);
    if (block.file !== undefined) this.#write(block, block.file);
    const isChecked = block.file === undefined || isCheckedLanguage(block.language);
    const problem = isChecked ? await findSyntaxError(block.language, block.code) : undefined;
    if (problem !== undefined) this.#report(block.line, problem);
  }

  /** Validates the files written since the last time, except those that the commands validate themselves. */
  async validateFiles(commands: string): Promise<void> {
    for (const [file, line] of this.#unchecked) {
      if (commands.includes(`validate ${file}`)) continue;
      const { code, stdout, stderr } = await this.#call(['validate', file]);
      if (code !== 0) this.#report(line, `${file} is not valid:\n${stdout}${stderr}`);
    }
    this.#unchecked.clear();
  }

  #report(line: number, message: string): void {
    this.problems.push({ line, message });
  }

  #write({ code, line }: DocsBlock, file: string): void {
    const { folder, home } = this.#world;
    const content = this.#withServer(code);
    if (file.startsWith(baseFolder)) writeIn(home, file.slice(baseFolder.length), content);
    else if (file.startsWith('~')) this.#report(line, `The file ${file} is outside the page's folder.`);
    else writeIn(folder, file, content);
    if (validated.test(file)) this.#unchecked.set(file, line);
  }

  async #runCommands({ code, line, exit = 0 }: DocsBlock): Promise<void> {
    await this.validateFiles(code);
    const printed = { stdout: '', stderr: '' };
    const commands = readCommands(code, line + 1);
    for (const [index, command] of commands.entries()) {
      const parts = splitCommand(command.text);
      if (parts === undefined) {
        this.#report(command.line, `"${command.text}" is not a millrace command. Add skip="why" to the block.`);
        continue;
      }
      const result = await this.#call(
        parts.args.map((part) => this.#withServer(part)),
        parts,
      );
      const expected = index === commands.length - 1 ? exit : 0;
      if (result.code !== expected) {
        const difference = `expected exit code ${expected}, got ${result.code}`;
        this.#report(command.line, `${command.text}: ${difference}\n${result.stdout}${result.stderr}`);
      }
      printed.stdout += result.stdout;
      printed.stderr += result.stderr;
    }
    this.#printed = printed;
  }

  async #call(args: readonly string[], { env = {}, input }: Partial<ShellCommand> = {}): Promise<CliResult> {
    const { folder, home, builtCli } = this.#world;
    const call = { cwd: folder, env: { MILLRACE_HOME: home, ...env } };
    if (input === undefined) return await callCli(args, call);
    return await (await builtCli()).start(args, { ...call, input }).result;
  }

  #compare({ code, line }: DocsBlock, printed: string | undefined): void {
    const actual = printed?.replaceAll(this.#world.modelServer, '127.0.0.1:11434');
    if (actual === undefined) this.#report(line, 'There are no commands directly above this output.');
    else if (!matchesOutput(code, actual)) {
      this.#report(line, `The output differs. The page shows:\n${code}\nThe commands print:\n${actual}`);
    }
  }

  #withServer(text: string): string {
    return text.replace(modelPort, this.#world.modelServer);
  }
}

function writeIn(folder: string, name: string, content: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

interface PageCommand {
  readonly line: number;
  readonly text: string;
}

/** Splits a block into commands: a backslash at the end of a line continues it, and `#` starts a comment line. */
function readCommands(code: string, firstLine: number): readonly PageCommand[] {
  const commands: PageCommand[] = [];
  let open: PageCommand | undefined;
  for (const [index, text] of code.split('\n').entries()) {
    const command = { line: open?.line ?? firstLine + index, text: `${open?.text ?? ''}${text.trim()}` };
    if (command.text === '' || command.text.startsWith('#')) continue;
    open = command.text.endsWith('\\') ? { ...command, text: command.text.slice(0, -1) } : undefined;
    if (open === undefined) commands.push(command);
  }
  return commands;
}

interface ShellCommand {
  readonly args: readonly string[];
  /** Variables that are set in front of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** Text that `echo` in front of the command prints. */
  readonly input?: string;
}

/** Reads `NAME=value millrace ARGS` and `echo TEXT | millrace ARGS`; undefined for any other command. */
function splitCommand(text: string): ShellCommand | undefined {
  const [words, piped] = text.startsWith('echo ') ? splitAtPipe(text) : [shellWords(text), undefined];
  const start = words.findIndex((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word));
  if (words[start] !== 'millrace') return undefined;
  const variables = words.slice(0, start).map((word) => [word.split('=', 1)[0], word.slice(word.indexOf('=') + 1)]);
  const command = { args: words.slice(start + 1), env: Object.fromEntries(variables) };
  return piped === undefined ? command : { ...command, input: `${piped}\n` };
}

function splitAtPipe(text: string): readonly [words: readonly string[], printed: string] {
  const at = text.indexOf(' | ');
  return at < 0 ? [[], ''] : [shellWords(text.slice(at + 3)), shellWords(text.slice(0, at)).slice(1).join(' ')];
}

/** Splits a command into words like a shell: quotes group characters, and are removed. */
function shellWords(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g), ([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}

/** Compares line by line without blanks at the ends; `…` on the page represents any text. */
function matchesOutput(shown: string, printed: string): boolean {
  const lines = (text: string): string =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n');
  const pattern = lines(shown)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*');
  return new RegExp(`^${pattern}$`).test(lines(printed));
}
