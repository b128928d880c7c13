/**
 * The reference of the script API, `docs/lua-api.md`.
 */
import type { ApiMember, ApiModule } from './api-module.ts';
import { referenceIntro } from './reference-intro.ts';

function heading(module: ApiModule): string {
  return `aip.${module.name}`;
}

function anchor(module: ApiModule): string {
  return heading(module).replaceAll('.', '');
}

function rowOf(module: ApiModule): string {
  const names = module.members.map((member) => `\`${member.name}\``).join(' ');
  return `| [\`${heading(module)}\`](#${anchor(module)}) | ${names} |`;
}

function memberText(module: ApiModule, member: ApiMember): string {
  return [`### ${heading(module)}.${member.name}`, `\`${heading(module)}.${member.signature}\``, member.summary].join(
    '\n\n',
  );
}

function moduleText(module: ApiModule): string {
  const members = module.members.map((member) => memberText(module, member));
  return [`## ${heading(module)}`, module.summary, ...members].join('\n\n');
}

/** All of the page, as markdown, with the modules in their order. */
export function apiReference(modules: readonly ApiModule[]): string {
  const table = ['| module | has |', '|---|---|', ...modules.map(rowOf)].join('\n');
  return `${[referenceIntro.trimEnd(), `## Modules\n\n${table}`, ...modules.map(moduleText)].join('\n\n')}\n`;
}
