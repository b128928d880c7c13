/**
 * The tools that flows, models and agents of this workspace can call: their details and uses, and a form to try them.
 * Names and descriptions come from manifests and servers, so all of them are shown as text.
 */
import { Hammer, Play, TriangleAlert } from 'lucide-react';
import { type FormEvent, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { isJsonMap, type JsonMap, toErrorRecord } from '../../../engine/isomorphic.ts';
import { InputFields, submitByKey } from '../../inspector/fields/input-fields.tsx';
import { ValueView } from '../../inspector/values/value-view.tsx';
import { type InputDrafts, type InputField, readInputs, schemaField } from '../../stores/runs/run-inputs.ts';
import { showText, workspacePlace } from '../../stores/show-text.ts';
import { useReadValue, useStores } from '../../stores/stores-context.tsx';
import { findTools, type ToolRow, type TriedTool } from '../../stores/workspace/tools.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextInput } from '../../ui/field.tsx';
import { rovingItem } from '../../ui/roving-focus.ts';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { text as areaText } from './text.ts';
import './tools-tab.css';

const words = areaText.tools;

const toolsFolder = 'tools';
const serversFile = '.mcp.json';

/** Height in pixels: a name and its origin. */
const rowHeight = 44;

/** Descriptions from servers may have any length. */
const longestDescription = 4000;

const kindWords: Readonly<Record<ToolRow['kind'], string>> = {
  core: words.core,
  http: words.http,
  command: words.command,
  lua: words.lua,
  js: words.js,
  mcp: words.mcp,
  agent: words.agent,
  flow: words.flow,
};

const tagWords = {
  accessesPrivateData: words.privateData,
  receivesUntrustedInput: words.untrustedInput,
  communicatesExternally: words.external,
} as const;

const riskWords: Readonly<Record<ToolRow['risk'], string>> = {
  low: words.lowRisk,
  medium: words.mediumRisk,
  high: words.highRisk,
};

/** The mark of a row in the list. */
const riskMarks: Readonly<Record<ToolRow['risk'], string>> = {
  low: '',
  medium: words.mediumRiskMark,
  high: words.highRiskMark,
};

function factsOf(tool: ToolRow): readonly (readonly [string, string])[] {
  const tags = (['accessesPrivateData', 'receivesUntrustedInput', 'communicatesExternally'] as const)
    .filter((tag) => tool.tags[tag])
    .map((tag) => tagWords[tag]);
  return [
    [words.kind, kindWords[tool.kind]],
    [words.source, tool.source],
    [words.risk, riskWords[tool.risk]],
    [words.repeated, tool.effects === 'idempotent' ? words.repeatable : words.notRepeatable],
    [words.approval, tool.requiresApproval ? words.alwaysAsks : words.policyAsks],
    ...(tags.length === 0 ? [] : [[words.data, tags.join(', ')] as const]),
    [words.usedBy, tool.usedBy.length === 0 ? words.unused : tool.usedBy.join(', ')],
  ];
}

/** The problem of its manifest, with a link to it. */
function Problem({ problem }: { readonly problem: NonNullable<ToolRow['problem']> }) {
  const stores = useStores();
  const { message, place } = problem;
  const found = place === undefined ? null : workspacePlace(place);
  return (
    <p className="settings-problem" role="alert" data-selectable>
      {message}
      {place === undefined ? null : ` (${place})`}{' '}
      {found === null ? null : (
        <button
          type="button"
          className="tools-link"
          onClick={() => {
            stores.preferences.getState().close();
            void showText(stores, found.path, { line: found.line, column: 1 });
          }}
        >
          {words.showPlace}
        </button>
      )}
    </p>
  );
}

function fieldsOf({ properties, required }: JsonMap): readonly InputField[] {
  const needed = new Set(Array.isArray(required) ? required.map(String) : []);
  return Object.entries(isJsonMap(properties) ? properties : {}).map(([key, schema]) =>
    schemaField(key, isJsonMap(schema) ? schema : {}, undefined, needed.has(key)),
  );
}

type ToolTestOutcome = { readonly tried: TriedTool } | { readonly problem: string };

function OutcomeView({ outcome }: { readonly outcome: ToolTestOutcome }) {
  const readLarge = useReadValue();
  if ('problem' in outcome) {
    return (
      <p className="settings-problem" role="alert" data-selectable>
        {outcome.problem}
      </p>
    );
  }
  const { tried } = outcome;
  if (tried === null) return <p className="settings-note">{words.notCalled}</p>;
  if (tried.status === 'error') {
    return (
      <p className="settings-problem" role="alert" data-selectable>
        {tried.message}
      </p>
    );
  }
  return <ValueView label={words.result} value={tried.result} readLarge={readLarge} />;
}

function TryForm({ tool }: { readonly tool: ToolRow }) {
  const { tools } = useStores();
  const fields = useMemo(() => fieldsOf(tool.inputSchema), [tool]);
  const [drafts, setDrafts] = useState<InputDrafts>({});
  const [hasTried, setHasTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<ToolTestOutcome | null>(null);
  const { inputs, problems } = readInputs(fields, drafts);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setHasTried(true);
    if (inputs === null || isBusy) return;
    setIsBusy(true);
    setOutcome(null);
    const params: JsonMap = { ...inputs };
    const tried = await tools
      .getState()
      .tryTool(tool.name, params)
      .then(
        (result): ToolTestOutcome => ({ tried: result }),
        (thrown: unknown): ToolTestOutcome => ({ problem: toErrorRecord(thrown).message }),
      );
    setOutcome(tried);
    setIsBusy(false);
  };
  return (
    <form className="tools-try" onSubmit={(event) => void submit(event)} onKeyDown={submitByKey}>
      <h4 className="settings-heading">{words.try}</h4>
      {fields.length === 0 ? <p className="settings-note">{words.noInput}</p> : null}
      <InputFields fields={fields} drafts={drafts} problems={hasTried ? problems : {}} onChange={setDrafts} />
      <div className="tools-try-foot">
        <span className="settings-note">
          {tool.kind === 'core' && tool.effects === 'idempotent' ? '' : words.asksFirst}
        </span>
        <Button type="submit" size="small" disabled={isBusy}>
          <Play aria-hidden size={13} />
          {isBusy ? words.calling : words.call}
        </Button>
      </div>
      {outcome === null ? null : <OutcomeView outcome={outcome} />}
    </form>
  );
}

function ToolDetail({ tool }: { readonly tool: ToolRow }) {
  const [isWhole, setIsWhole] = useState(false);
  const { name, title, description, problem } = tool;
  const isCut = !isWhole && description.length > longestDescription;
  return (
    <section className="tools-detail" aria-label={name} data-selectable>
      <header>
        <h3 className="tools-title">{title ?? name}</h3>
        {title === undefined ? null : <code className="tools-name">{name}</code>}
      </header>
      {problem === undefined ? null : <Problem problem={problem} />}
      {description === '' ? null : (
        <p className="tools-description">{isCut ? `${description.slice(0, longestDescription)}…` : description}</p>
      )}
      {isCut ? (
        <Button size="small" variant="ghost" onClick={() => setIsWhole(true)}>
          {words.showAll({ count: description.length })}
        </Button>
      ) : null}
      {problem === undefined ? (
        <>
          <dl className="tools-facts">
            {factsOf(tool).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <TryForm key={name} tool={tool} />
        </>
      ) : null}
    </section>
  );
}

interface ToolListProps {
  readonly rows: readonly ToolRow[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

function ToolList({ rows, chosen, onChoose }: ToolListProps) {
  return (
    <VirtualRows
      label={words.list}
      count={rows.length}
      rowHeight={rowHeight}
      keyOf={(index) => rows[index]?.name ?? String(index)}
      renderRow={(index, isTabStop) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <button
            type="button"
            className="tools-row"
            aria-current={row.name === chosen}
            title={row.name}
            onClick={() => onChoose(row.name)}
            {...rovingItem(isTabStop)}
          >
            <span className="tools-row-name">{row.name}</span>
            {row.problem === undefined ? (
              <span className="tools-risk" data-risk={row.risk}>
                {riskMarks[row.risk]}
              </span>
            ) : (
              <TriangleAlert className="tools-row-problem" aria-label={words.hasProblem} size={13} />
            )}
            <span className="tools-row-about">{row.problem?.message ?? (row.description || kindWords[row.kind])}</span>
          </button>
        );
      }}
    />
  );
}

export function ToolsTab() {
  const { tools } = useStores();
  const { rows, error, refresh } = useStore(tools);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => void refresh(), [refresh]);
  const wanted = useDeferredValue(query);
  const found = useMemo(() => findTools(rows ?? [], wanted), [rows, wanted]);
  const shown = found.find(({ name }) => name === chosen) ?? found[0];
  if (error !== null) {
    return (
      <p className="settings-part settings-problem" role="alert">
        {error}
      </p>
    );
  }
  if (rows === null) return <p className="settings-part">{words.loading}</p>;
  if (rows.length === 0) {
    return (
      <EmptyState icon={<Hammer aria-hidden size={20} />} title={words.none}>
        {withParts(words.noneNote, { folder: <code>{toolsFolder}</code>, file: <code>{serversFile}</code> })}
      </EmptyState>
    );
  }
  return (
    <div className="tools-tab">
      <div className="tools-list">
        <TextInput
          type="search"
          aria-label={words.search}
          placeholder={words.searchCount({ count: rows.length })}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        {found.length === 0 ? <p className="settings-note">{words.noMatch}</p> : null}
        <ToolList rows={found} chosen={shown?.name} onChoose={setChosen} />
      </div>
      {shown === undefined ? null : <ToolDetail key={shown.name} tool={shown} />}
    </div>
  );
}
