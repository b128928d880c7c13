/**
 * Charts of a file's runs over time, the times of its nodes, and what fails since when.
 */
import type { ShownStats } from '../../stores/runs/history/run-table.ts';
import { useNodeNames } from '../../stores/use-flow.ts';
import { costText, countText, durationText, fullDateTimeText } from '../../ui/quantity-text.ts';
import { text } from './text.ts';
import './run-charts.css';

type ChartPoint = ShownStats['points'][number];

interface Chart {
  readonly title: string;
  /** Undefined for runs without such a value. */
  readonly read: (point: ChartPoint) => number | undefined;
  readonly textOf: (value: number, point: ChartPoint) => string;
}

const charts: readonly Chart[] = [
  { title: text.charts.time, read: ({ durationMs }) => durationMs?.p50, textOf: durationText },
  { title: text.charts.cost, read: ({ costUsd }) => costUsd?.p50, textOf: (cost) => costText(cost, 0) },
  { title: text.charts.tokens, read: ({ tokens }) => tokens?.p50, textOf: countText },
  {
    title: text.charts.failures,
    read: ({ failed }) => failed,
    textOf: (count, { runs }) => text.charts.failed({ count, total: runs }),
  },
];

const [width, height, inset] = [280, 72, 6];

/** A line through the values, with a dot for each point. Dots of points with failures are red. */
function TrendChart({ chart: { title, read, textOf }, points }: { chart: Chart; points: readonly ChartPoint[] }) {
  const known = points.flatMap((point) => {
    const value = read(point);
    return value === undefined ? [] : [{ point, value }];
  });
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return null;
  const most = Math.max(...known.map(({ value }) => value)) || 1;
  const placed = known.map(({ point, value }, index) => ({
    point,
    x: known.length === 1 ? width / 2 : inset + (index * (width - 2 * inset)) / (known.length - 1),
    y: height - inset - (value * (height - 2 * inset)) / most,
    hint: `${text.charts.last({ value: textOf(value, point), number: point.last })}, ${fullDateTimeText(point.startedAt)}`,
  }));
  return (
    <figure className="run-chart">
      <figcaption className="run-chart-title">
        <b>{title}</b>
        <span>{text.charts.last({ value: textOf(last.value, last.point), number: last.point.last })}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={text.charts.about({ title, from: first.point.first, to: last.point.last })}
        viewBox={`0 0 ${width} ${height}`}
      >
        <path className="run-chart-frame" d={`M0 .5H${width}M0 ${height - 0.5}H${width}`} />
        <polyline className="run-chart-line" points={placed.map(({ x, y }) => `${x},${y}`).join(' ')} />
        {placed.map(({ point, x, y, hint }) => (
          <circle key={point.first} className="run-chart-dot" data-failed={point.failed > 0} cx={x} cy={y} r={2.5}>
            <title>{hint}</title>
          </circle>
        ))}
      </svg>
      <div className="run-chart-ends">
        <span>{first.point.first}</span>
        <span>{last.point.last}</span>
      </div>
    </figure>
  );
}

function NodeTable({ path, stats: { nodes, nodeRuns } }: { path: string; stats: ShownStats }) {
  const names = useNodeNames(path);
  if (nodes.length === 0) return null;
  return (
    <section>
      <h3 className="run-charts-title">{text.charts.nodes({ count: nodeRuns })}</h3>
      <table className="run-nodes">
        <thead>
          <tr>
            {[text.charts.node, 'p50', 'p95', text.charts.ended, text.charts.failures].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes.map(({ nodeId, count, failed, durationMs }) => (
            <tr key={nodeId}>
              <th scope="row">{names.get(nodeId) ?? nodeId}</th>
              <td>{durationText(durationMs.p50)}</td>
              <td>{durationText(durationMs.p95)}</td>
              <td>{countText(count)}</td>
              <td data-failed={failed > 0}>{countText(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type FailureGroup = ShownStats['failures'][number];

function FailureEntry({ path, failure }: { path: string; failure: FailureGroup }) {
  const { nodeId, runs, last, message, streak } = failure;
  const names = useNodeNames(path);
  const timeOf = (at: number): string => fullDateTimeText(at);
  const since =
    streak === undefined
      ? text.charts.recently({ number: last.number, time: timeOf(last.startedAt) })
      : text.charts.since({ number: streak.first.number, time: timeOf(streak.first.startedAt), count: streak.runs });
  return (
    <li>
      <p>
        <b>{nodeId === undefined ? text.charts.noNode : (names.get(nodeId) ?? nodeId)}</b>{' '}
        {text.charts.failedIn({ count: runs })}
      </p>
      <p className="run-failure-since">{since}</p>
      {message === undefined ? null : <p className="run-failure-message">{message}</p>}
      {streak === undefined ? null : <FailureChanges streak={streak} />}
    </li>
  );
}

function FailureChanges({ streak: { before, changes } }: { streak: NonNullable<FailureGroup['streak']> }) {
  if (before === undefined || changes === undefined) return null;
  if (changes.length === 0) return <p>{text.charts.unchanged(before)}</p>;
  return (
    <>
      <p>{text.charts.changed(before)}</p>
      <ul className="run-failure-changes">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </>
  );
}

export function RunCharts({ path, stats }: { path: string; stats: ShownStats }) {
  return (
    <div className="run-charts">
      <div className="run-charts-row">
        {charts.map((chart) => (
          <TrendChart key={chart.title} chart={chart} points={stats.points} />
        ))}
      </div>
      <div className="run-charts-columns">
        <NodeTable path={path} stats={stats} />
        {stats.failures.length === 0 ? null : (
          <section>
            <h3 className="run-charts-title">{text.charts.failing}</h3>
            <ul className="run-failures">
              {stats.failures.map((failure) => (
                <FailureEntry key={failure.nodeId ?? ''} path={path} failure={failure} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}
