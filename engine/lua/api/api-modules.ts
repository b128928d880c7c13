/**
 * The modules of `aip.*`, one line each, in the order of the reference.
 */
import type { ApiModule } from '../api-module.ts';
import { codeApi } from './code.ts';
import { hashApi } from './hash.ts';
import { htmlApi } from './html.ts';
import { pdfApi } from './pdf.ts';
import { rustApi } from './rust.ts';
import { semverApi } from './semver.ts';
import { textApi } from './text.ts';
import { createTimeApi } from './time.ts';
import { uuidApi } from './uuid.ts';
import { webApi } from './web.ts';
import { zipApi } from './zip.ts';

export const apiModules: readonly ApiModule[] = [
  textApi,
  webApi,
  htmlApi,
  codeApi,
  rustApi,
  semverApi,
  uuidApi,
  hashApi,
  createTimeApi(),
  pdfApi,
  zipApi,
];
