/**
 * The list of `aip.*` modules, in the order of the reference.
 */
import type { ApiModule } from '../api-module.ts';
import { agentApi } from './agent.ts';
import { cmdApi } from './cmd.ts';
import { codeApi } from './code.ts';
import { csvApi } from './csv.ts';
import { editorApi } from './editor.ts';
import { fileApi } from './file.ts';
import { flowApi } from './flow.ts';
import { gitApi } from './git.ts';
import { hashApi } from './hash.ts';
import { hbsApi } from './hbs.ts';
import { htmlApi } from './html.ts';
import { jsonApi } from './json.ts';
import { luaApi } from './lua.ts';
import { mdApi } from './md.ts';
import { pathApi } from './path.ts';
import { pdfApi } from './pdf.ts';
import { runApi, taskApi } from './run-task.ts';
import { rustApi } from './rust.ts';
import { secretApi } from './secret.ts';
import { semverApi } from './semver.ts';
import { shapeApi } from './shape.ts';
import { tagApi } from './tag.ts';
import { textApi } from './text.ts';
import { createTimeApi } from './time.ts';
import { tomlApi } from './toml.ts';
import { udiffxApi } from './udiffx.ts';
import { uuidApi } from './uuid.ts';
import { webApi } from './web.ts';
import { yamlApi } from './yaml.ts';
import { zipApi } from './zip.ts';

export const apiModules: readonly ApiModule[] = [
  flowApi,
  fileApi,
  pathApi,
  textApi,
  tagApi,
  mdApi,
  runApi,
  taskApi,
  jsonApi,
  tomlApi,
  yamlApi,
  csvApi,
  luaApi,
  shapeApi,
  agentApi,
  cmdApi,
  gitApi,
  editorApi,
  udiffxApi,
  webApi,
  secretApi,
  htmlApi,
  hbsApi,
  codeApi,
  rustApi,
  semverApi,
  uuidApi,
  hashApi,
  createTimeApi(),
  pdfApi,
  zipApi,
];
