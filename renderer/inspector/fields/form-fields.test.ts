import { expect, test } from 'vitest';
import { builtinTypes, flowJsonSchema } from '../../../engine/isomorphic.ts';
import { nodeTypes } from '../../stores/flow/node-types.ts';
import { type FormField, formOf, labelOf } from './form-fields.ts';

function brief({ path, kind, isRequired, member, parts }: FormField): string {
  const inside =
    parts.length > 0 ? ` (${parts.map(brief).join(', ')})` : member === undefined ? '' : ` of ${brief(member)}`;
  return `${path.at(-1) ?? ''} ${kind}${isRequired ? '!' : ''}${inside}`.trim();
}

test('each type has a field for everything in its schemas', () => {
  const forms = Object.fromEntries(
    builtinTypes.map((spec) => {
      const { input, config } = formOf(spec);
      const extra = input.extra === undefined ? [] : [`any: ${brief(input.extra)}`];
      return [spec.type, [...input.fields.map(brief), ...extra, '|', ...config.fields.map(brief)].join(' · ')];
    }),
  );
  expect(forms).toEqual({
    prompt:
      'prompt prompt · messages list of group! (role enum!, content prompt!) · system prompt · attachments list of file! · | · model model · temperature slider · top_p slider · maxTokens number · tools list of tool! · maxSteps number · output group (schema schema, schemaFile text)',
    agent:
      'agent agent! · inputs list of json! · options group (model model, temperature number, top_p number, input_concurrency number, max_waiting number, allow_run_on_task_fail boolean, model_aliases map of text!) · |',
    flow: 'flow flow! · input call · |',
    human_approval:
      'title text · message long-text · action json · diff long-text · askedBy text · recommended enum · notes list of text! · params map of json! · | · deadlineMs duration · onDeadline enum',
    plan_proposal: 'plan json! · |',
    tool: 'any: json · | · tool tool!',
    user_input:
      'title text! · message long-text · schema schema! · defaults map of json! · | · deadlineMs duration · onDeadline enum',
    'file.read': 'path file · globs list of glob! · as enum · |',
    'file.write': 'path file! · text long-text! · | · mode enum',
    'http.request':
      'url url! · method enum · headers map of text! · body json · form map of json! · saveTo file · | · parse enum · maxBytes number · retryOn list of number! · retryMethods list of enum!',
    respond: 'status number · headers map of text! · body json · |',
    'script.js': 'any: json · | · code javascript!',
    'script.lua': 'any: json · | · code lua!',
    template: 'any: json · | · template code!',
    echo: 'text long-text! · |',
    constant: 'value json! · |',
    'json.parse': 'text long-text! · | · find enum · schema schema · schemaFile text',
    'json.query': 'value json! · | · path text!',
    'list.map': 'items list! of json! · | · template json!',
    'list.filter': 'items list! of json! · | · when condition!',
    'list.sort': 'items list! of json! · | · by text · desc boolean',
    'list.unique': 'items list! of json! · | · by text',
    'text.join': 'items list! of json! · separator text · |',
    'text.split': 'text long-text! · separator text · | · keepEmpty boolean',
    'condition.equals': 'left json! · right json! · |',
    'control.switch': 'value json! · cases list! of group! (when condition!, route text!) · |',
    'control.if': 'condition condition! · |',
    'control.loop': 'body nodes! · until condition · while condition · maxIterations number · onLimit enum · |',
    'command.run':
      'args list of text! · env map of text! · stdin long-text · | · program text! · cwd text · parse enum · maxBytes number · waitFor enum · okExit list of number!',
    'control.foreach':
      'items list! of json! · as text · body nodes! · maxParallel number · maxItems number · maxWaiting number · tolerate boolean · |',
    'control.wait': 'ms duration · |',
    'control.fail': 'message text! · |',
    'control.noop': 'value json · |',
  });
});

test('fields carry defaults, limits and choices', () => {
  const field = (type: string, key: string): FormField | undefined => {
    const spec = nodeTypes.get(type);
    if (spec === undefined) return undefined;
    return [...formOf(spec).input.fields, ...formOf(spec).config.fields].find(({ path }) => path.at(-1) === key);
  };
  expect(field('prompt', 'temperature')).toMatchObject({
    limits: { min: 0, max: 2 },
    mayBind: false,
    path: ['config', 'temperature'],
  });
  expect(field('control.foreach', 'maxParallel')).toMatchObject({
    default: 1,
    limits: { min: 1, isInteger: true },
    label: 'Max parallel',
  });
  expect(field('control.foreach', 'maxParallel')?.limits.max).toBeUndefined();
  expect(field('control.wait', 'ms')).toMatchObject({ kind: 'duration', label: 'Time', mayBind: true });
  expect(field('http.request', 'method')?.options).toContain('PATCH');
});

test('form hints in the schemas are not part of the exported schema', () => {
  expect(JSON.stringify(flowJsonSchema(nodeTypes))).not.toContain('"editor"');
});

test('labels are words', () => {
  expect([labelOf('maxParallel'), labelOf('top_p'), labelOf('content-type'), labelOf(3)]).toEqual([
    'Max parallel',
    'Top p',
    'content-type',
    '',
  ]);
});

test('an approval declares what the person may edit', () => {
  const { input } = formOf(nodeTypes.get('human_approval')!);
  expect(input.fields.find(({ path }) => path.at(-1) === 'params')?.label).toBe('Editable values');
});
