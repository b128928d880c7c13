/**
 * Writes a run's forms as files that contain the request and the answer.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { FullNames } from './full-names.ts';
import { formIdOf } from './trace-asks.ts';
import type { TraceSource } from './trace-record.ts';

/** Maximum length of a file name without its extension. */
const longestName = 100;

/** Matches names that some systems reserve for devices. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Collects the forms of a log event by event. */
export class FormFiles {
  readonly #source: Pick<TraceSource, 'redactor' | 'whole'>;
  readonly #names = new FullNames();
  readonly #forms = new Map<string, JsonMap>();

  constructor(source: Pick<TraceSource, 'redactor' | 'whole'>) {
    this.#source = source;
  }

  note(envelope: EventEnvelope): void {
    this.#names.note(envelope);
    const { event } = envelope;
    if (event.type === 'input:requested') {
      const step = this.#names.stepOf(envelope) ?? '';
      const asked = this.#whole(event.request as unknown as JsonMap);
      const { title = '', message = null, schema = {}, defaults = {} } = asked;
      const request = asked['form'] ?? { title, message, schema, defaults };
      this.#forms.set(placeOf(step, event.key), {
        ...{ schema_version: '1.0', form_id: formIdOf(asked, step, event.key), step_id: step },
        ...{ request, response: null },
      });
    }
    if (event.type === 'input:received') {
      const place = placeOf(this.#names.stepOf(envelope) ?? '', event.key);
      const form = this.#forms.get(place);
      const { values = {}, comment = '' } = this.#whole(event.payload);
      const response = { values, comment, by: event.by ?? null, at: event.at };
      if (form !== undefined) this.#forms.set(place, { ...form, response });
    }
    this.#names.forget(envelope);
  }

  /** Yields each form with a file name that is valid on every system. Forms with the same id get different names. */
  *all(): Generator<{ readonly name: string; readonly form: JsonValue }, void> {
    const taken = new Set<string>();
    for (const form of this.#forms.values()) {
      const base = fileNameOf(String(form['form_id']));
      let name = base;
      for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${base}-${count}`;
      taken.add(name.toLowerCase());
      yield { name: `${name}.json`, form: this.#source.redactor.redact(form) };
    }
  }

  #whole(map: JsonMap): JsonMap {
    const { whole } = this.#source;
    const found = whole(map);
    if (!isJsonMap(found)) return {};
    return Object.fromEntries(Object.entries(found).map(([key, value]) => [key, whole(value)]));
  }
}

function placeOf(step: string, key: string): string {
  return JSON.stringify([step, key]);
}

/** Replaces characters that are special in paths. */
function fileNameOf(id: string): string {
  const plain = id
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, longestName);
  return plain === '' || deviceName.test(plain) ? `form-${plain}`.replace(/-$/, '') : plain;
}
