/**
 * Counts what a worker does, in the text format of Prometheus.
 */

/** Values that are read when the metrics are requested. */
export interface WorkerGauges {
  /** Runs that have an attempt here. */
  readonly runs: number;
  /** Steps that are running. */
  readonly steps: number;
  /** Events that are not in the history yet. */
  readonly events: number;
  /** Whether the worker is shutting down. */
  readonly isDraining: boolean;
}

type CounterName = keyof typeof counters;

const counters = {
  attempts: ['millrace_worker_attempts_total', 'Attempts of runs, including those after a wait or an interruption'],
  ended: ['millrace_worker_runs_ended_total', 'Runs that ended in this worker'],
  rejected: [
    'millrace_worker_rejected_total',
    'Attempts that were rejected because the worker was full or shutting down',
  ],
  steps: ['millrace_worker_steps_total', 'Steps that this worker has started'],
  messages: ['millrace_worker_messages_total', 'Answers and requests that this worker has delivered'],
  problems: [
    'millrace_worker_problems_total',
    'Errors of Restate and of the history after which the worker tried again',
  ],
} as const;

export class WorkerMetrics {
  readonly #counts = new Map<CounterName, number>();

  count(name: CounterName): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Returns the text of a `/metrics` response. */
  text({ runs, steps, events, isDraining }: WorkerGauges): string {
    const lines = Object.entries(counters).flatMap(([name, [metric, help]]) =>
      metricLines({ metric, help, type: 'counter', value: this.#counts.get(name as CounterName) ?? 0 }),
    );
    const { user, system } = process.cpuUsage();
    const gauges = [
      ['millrace_worker_runs', 'Runs that have an attempt in this worker', runs],
      ['millrace_worker_steps_running', 'Steps that are running', steps],
      ['millrace_worker_events_unwritten', 'Events that are not in the history yet', events],
      ['millrace_worker_draining', 'Whether the worker is shutting down', isDraining ? 1 : 0],
      ['process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()],
    ] as const;
    for (const [metric, help, value] of gauges) lines.push(...metricLines({ metric, help, type: 'gauge', value }));
    const seconds = (user + system) / 1e6;
    lines.push(
      ...metricLines({ metric: 'process_cpu_seconds_total', help: 'CPU time', type: 'counter', value: seconds }),
    );
    return `${lines.join('\n')}\n`;
  }
}

interface Metric {
  readonly metric: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly value: number;
}

function metricLines({ metric, help, type, value }: Metric): readonly string[] {
  return [`# HELP ${metric} ${help}`, `# TYPE ${metric} ${type}`, `${metric} ${value}`];
}
