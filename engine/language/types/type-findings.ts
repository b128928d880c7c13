/**
 * Compares bindings and conditions with the possible values of what they reference. Only uses that can never work are
 * errors. Values that may be missing cause a warning, and unknown values are not reported.
 */
import { pathText } from '../bindings/binding-path.ts';
import { type Binding, parseTemplate, type Template } from '../bindings/binding-template.ts';
import { holdsBinding } from '../bindings/bindings.ts';
import { secretRoot } from '../bindings/secret-bindings.ts';
import { inputConditions } from '../bindings/when.ts';
import type { Finding } from '../findings/finding.ts';
import { nearestWord } from '../findings/nearest.ts';
import { type ReferenceScope, rootFinding } from '../findings/reference-findings.ts';
import { calledFileOf, interfaceOf } from '../flow/called-flows.ts';
import { continuesOnFailure } from '../flow/failure-way.ts';
import { callType, type EdgeDoc, type NodeDoc, type WhenExpr, whenSchema } from '../flow/flow-doc.ts';
import { previousRoot } from '../flow/loops.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../json/json-value.ts';
import { formJsonSchema } from '../schema/json-schemas.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import { neverHolds } from './condition-fit.ts';
import { type BindingLocation, type FlowParts, FlowValues, type ShapeRoots } from './flow-values.ts';
import { type FoundValue, followPath } from './follow-path.ts';
import type { NodeTypeSpec } from './node-type-spec.ts';
import { RanBefore } from './ran-before.ts';
import { shapeOfSchema } from './schema-to-shape.ts';
import {
  anyShape,
  canBe,
  except,
  fieldOf,
  isEmptyShape,
  mapOf,
  ofKind,
  shapeText,
  sure,
  type ValueShape,
} from './shape.ts';
import { canFit, type FitMode } from './value-fit.ts';

interface CheckedParts extends FlowParts {
  /** Returns the valid path roots at a location. */
  readonly scopeOf: (nodeId?: string, isInside?: boolean) => ReferenceScope;
}

/** Knows one flow's values, and compares the written bindings and conditions with them. */
export class TypeCheck {
  readonly #parts: CheckedParts;
  readonly #values: FlowValues;
  readonly #before: RanBefore;

  constructor(parts: CheckedParts) {
    this.#parts = parts;
    this.#values = new FlowValues(parts);
    this.#before = new RanBefore(parts.doc, parts.nesting);
  }

  /** Returns the problems of a node's bindings and conditions; paths are relative to the node. */
  ofNode(node: NodeDoc, spec: NodeTypeSpec | undefined): readonly Finding[] {
    const place = { nodeId: node.id };
    const found = [
      ...this.#ofInput(node, spec, place),
      ...this.#ofCondition(node.when, ['when'], { place }),
      ...inputConditions(node).flatMap(({ key, sees, condition }) =>
        this.#ofWritten(condition, ['input', key], { place: { ...place, isInside: sees === 'body' } }),
      ),
      ...this.#ofItems(node, place),
    ];
    // A disabled node does no harm.
    return node.disabled === true ? found.map((finding) => ({ ...finding, severity: 'warning' })) : found;
  }

  /** Returns the problems of an edge's condition; paths are relative to the edge. */
  ofEdge({ from, when }: EdgeDoc): readonly Finding[] {
    return this.#ofCondition(when, ['when'], { place: { nodeId: from } });
  }

  /** Returns the problems of the flow's outputs; paths are relative to the document. */
  ofOutputs(): readonly Finding[] {
    const { outputs } = this.#parts.doc.flow;
    return outputs === undefined
      ? []
      : this.#ofValue(outputs, { path: ['flow', 'outputs'], place: {}, needed: anyShape });
  }

  #ofInput(node: NodeDoc, spec: NodeTypeSpec | undefined, place: BindingLocation): readonly Finding[] {
    // An unknown type accepts any value, but missing fields are still reported.
    const needed = spec === undefined ? anyShape : shapeOfSchema(formJsonSchema(spec.inputSchema));
    if (node.type !== callType) return this.#ofValue(node.input, { path: ['input'], place, needed });
    const { input = {}, ...others } = node.input;
    const file = calledFileOf(node, this.#parts.files);
    const taken = file !== undefined && 'flow' in file ? shapeOfSchema(interfaceOf(file.flow).inputs) : anyShape;
    return [
      ...this.#ofValue(others, { path: ['input'], place, needed }),
      // A map bound as a whole is checked as a whole.
      ...this.#ofValue(input, { path: ['input', 'input'], place, needed: taken, mode: 'exact' }),
    ];
  }

  #ofValue(value: JsonValue, use: Use): readonly Finding[] {
    if (typeof value === 'string') return value.includes('{{') ? this.#ofText(parseTemplate(value), use) : [];
    const { path, needed } = use;
    if (isJsonList(value)) {
      const items = (canBe(needed, 'list') ? needed.items : undefined) ?? anyShape;
      return value.flatMap((item, index) => this.#ofValue(item, { ...use, path: [...path, index], needed: items }));
    }
    if (!isJsonMap(value)) return [];
    return Object.entries(value).flatMap(([key, item]) => {
      const field = canBe(needed, 'map') ? fieldOf(needed, key).shape : anyShape;
      // A key that the type does not know is removed before the node runs.
      return this.#ofValue(item, { ...use, path: [...path, key], needed: isEmptyShape(field) ? anyShape : field });
    });
  }

  #ofText({ parts, problems }: Template, use: Use): readonly Finding[] {
    if (problems.length > 0) return [];
    const bindings = parts.filter((part) => typeof part !== 'string');
    const missing = bindings.flatMap((binding) => this.#missing(binding, use));
    if (missing.some(({ severity }) => severity === 'error')) return missing;
    const [only] = bindings;
    const isWhole = only !== undefined && parts.length === 1;
    const { place, roots } = use;
    if (roots === undefined && bindings.some((binding) => this.#isStrange(binding.path, place))) return missing;
    const given = isWhole ? this.#values.ofBinding(only, place, roots) : ofKind('string');
    return [...missing, ...this.#misfit(given, isWhole ? only.source : undefined, use)];
  }

  #misfit(
    given: ValueShape,
    source: string | undefined,
    { path, needed, mode = 'text-forms' }: Use,
  ): readonly Finding[] {
    if (canFit(given, needed, mode)) return [];
    const name = path.filter((part) => typeof part === 'string' || path.length < 3).join('.');
    const what = source === undefined ? 'text that contains bindings' : `${source}, which is ${shapeText(given)}`;
    const message = `"${name}" must be ${shapeText(except(needed, 'null'))}, not ${what}. Bind a value of that type.`;
    const focus = source === undefined ? {} : { focus: { part: source } };
    return [{ code: 'binding.wrong-type', severity: 'error', message, path, ...focus }];
  }

  #missing({ path: segments, isOptional, default: otherwise, source }: Binding, use: Use): readonly Finding[] {
    const { path } = use;
    const found = segments[0] === secretRoot ? undefined : this.#follow(segments, use);
    if (found === undefined) return [];
    const shared = { path, focus: { part: source } };
    const mayLack = isOptional || otherwise !== undefined;
    if (found.missing === 'always') {
      const { mistyped } = found.problem;
      // If the value may be missing, only a name similar to another one is reported.
      if (mayLack && (mistyped === undefined || nearestWord(mistyped.word, mistyped.known) === undefined)) return [];
      return [{ code: 'binding.unknown-field', severity: mayLack ? 'warning' : 'error', ...shared, ...found.problem }];
    }
    const why = mayLack ? undefined : this.#whyMissing(segments, found, use);
    if (why === undefined) return [];
    const message = `${why} Write {{?${pathText(segments)}}} or a default if it may be missing.`;
    return [{ code: 'binding.may-be-missing', severity: 'warning', message, ...shared }];
  }

  /** Returns undefined for a value that definitely exists and for an unknown value. */
  #whyMissing(segments: readonly string[], found: FoundValue, { place, roots }: Use): string | undefined {
    const [root = ''] = segments;
    if (roots === undefined) {
      const absent = this.#values.isNode(root, place)
        ? this.#whyAbsent(segments, place)
        : this.#whyNoPassBefore(root, place);
      if (absent !== undefined) return absent;
    }
    if (found.missing !== 'maybe' || this.#before.isThere(found.at, place.nodeId)) return undefined;
    return found.why;
  }

  /** A skipped node has no output, and a completed node has no failure. */
  #whyAbsent(segments: readonly string[], { nodeId }: BindingLocation): string | undefined {
    const [id = '', field = ''] = segments;
    const node = this.#values.node(id);
    if (node === undefined || this.#parts.pinned?.has(id) === true) return undefined;
    if (id === nodeId || field === 'skipped' || field === 'reason') return undefined;
    const skipped = this.#before.whySkipped(id, nodeId);
    if (skipped !== undefined)
      return `"${id}" may be skipped because ${skipped}, so "${pathText(segments)}" may be missing.`;
    const isOfFailure = field === 'error' || field === 'failed' || field === 'attempts';
    if (!isOfFailure || continuesOnFailure(this.#parts.doc, node) || this.#values.hasOwnField(node, field))
      return undefined;
    return `"${pathText(segments)}" is missing: the run ends when "${id}" fails. Set policy.continueOnError of "${id}" to true.`;
  }

  #whyNoPassBefore(root: string, { nodeId }: BindingLocation): string | undefined {
    if (root !== previousRoot || this.#before.isThere([root], nodeId)) return undefined;
    return `"${root}" is missing in the first iteration.`;
  }

  /** Returns undefined for an unknown value, and if the path's root has already been reported. */
  #follow(segments: readonly string[], { place, roots }: PathTypeContext): FoundValue | undefined {
    const [root = ''] = segments;
    if (roots === undefined && this.#isStrange(segments, place)) return undefined;
    const start = roots === undefined ? this.#values.root(root, place) : roots.get(root);
    return start === undefined ? undefined : followPath(start, segments, this.#values.node(root)?.type);
  }

  #isStrange(segments: readonly string[], { nodeId, isInside }: BindingLocation): boolean {
    return rootFinding(segments, this.#parts.scopeOf(nodeId, isInside)) !== undefined;
  }

  /** Checks a condition that is not part of the document's own schema, and may have any form. */
  #ofWritten(condition: JsonValue | undefined, path: ValuePath, seen: PathTypeContext): readonly Finding[] {
    if (condition === undefined || holdsBinding(condition)) return [];
    const read = whenSchema.safeParse(condition);
    return read.success ? this.#ofCondition(read.data, path, seen) : [];
  }

  #ofCondition(when: WhenExpr | undefined, path: ValuePath, seen: PathTypeContext): readonly Finding[] {
    if (when === undefined) return [];
    return neverHolds(when, (segments) => this.#follow(segments, seen)).map(
      ({ place: at, message, severity }): Finding => ({
        ...{ code: 'when.never-holds', severity, message },
        path: [...path, ...at],
      }),
    );
  }

  /** Checks settings that describe the value or items that the node reads. */
  #ofItems({ type, input, config = {} }: NodeDoc, place: BindingLocation): readonly Finding[] {
    if (type === 'control.switch') {
      const { cases } = input;
      const roots = new Map([['value', this.#values.of(input['value'], place)]]);
      if (!isJsonList(cases)) return [];
      return cases.flatMap((one, index) =>
        this.#ofWritten(isJsonMap(one) ? one['when'] : undefined, ['input', 'cases', index, 'when'], { place, roots }),
      );
    }
    if (type !== 'list.map' && type !== 'list.filter') return [];
    const { items = anyShape } = this.#values.of(input['items'], place);
    const roots = new Map([
      ['item', items],
      ['loop', mapOf([['index', sure(ofKind('number'))]])],
    ]);
    if (type === 'list.filter') return this.#ofWritten(config['when'], ['config', 'when'], { place, roots });
    const { template } = config;
    return template === undefined
      ? []
      : this.#ofValue(template, { path: ['config', 'template'], place, needed: anyShape, roots });
  }
}

/** How paths are resolved at a location. */
interface PathTypeContext {
  readonly place: BindingLocation;
  readonly roots?: ShapeRoots;
}

/** Where a value is written, and the shape it must have. */
interface Use extends PathTypeContext {
  readonly path: ValuePath;
  readonly needed: ValueShape;
  readonly mode?: FitMode;
}
