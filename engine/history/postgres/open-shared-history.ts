/**
 * Opens a shared history in PostgreSQL.
 */
import { randomUUID } from 'node:crypto';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import type { DueAsk } from '../store/waiting-store.ts';
import { ChangeWatch } from './change-watch.ts';
import { parseSharedUrl } from './connection-url.ts';
import { Lease, type LeaseTimes, usualLease } from './lease.ts';
import { checkShared, migrateShared } from './migrate-shared.ts';
import { openPgDb, type PgDb } from './pg-db.ts';
import { Projector } from './projector.ts';
import { removeOldRuns } from './retention.ts';
import { type Owner, RunAnswers } from './run-answers.ts';
import { keepTexts, RunRecords } from './run-records.ts';
import type {
  ChangeCursor,
  DurableHost,
  HomeProgress,
  NewSharedRun,
  RunBatch,
  SharedChange,
  SharedHistory,
  SharedHistoryOptions,
  SharedReads,
  UnsubmittedRun,
} from './shared-history.ts';
import { changesSince, type ReadsAt, readsOf } from './shared-reads.ts';
import { WaitingReads } from './waiting-table.ts';
import { isWorkspaceName, longestWorkspace } from './workspace-name.ts';

/**
 * Connects, and creates or upgrades the schema.
 * @param lease for tests
 * @throws EngineError `store.bad-url`, `store.unreachable`, `store.denied`, `store.not-found` (the database, or a
 * history to read), `store.newer-version`, `store.unreadable`
 */
export async function openSharedHistory(
  options: SharedHistoryOptions,
  lease: LeaseTimes = usualLease,
): Promise<SharedHistory> {
  const { workspace: name, isReadOnly = false } = options;
  if (!isWorkspaceName(name))
    throw new EngineError({
      code: 'store.bad-url',
      message: `The name of the workspace must have 1 to ${longestWorkspace} characters, without control characters.`,
    });
  const db = await openPgDb(parseSharedUrl(options.url), options.connections);
  try {
    await (isReadOnly ? checkShared(db) : migrateShared(db));
    const workspace = await findWorkspace(db, name, isReadOnly);
    return createSharedHistory(db, { name, workspace, home: options.home, lease });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Returns the number of the workspace, which is created if necessary; -1 for a missing one that is only read. */
async function findWorkspace(db: PgDb, name: string, isReadOnly: boolean): Promise<number> {
  const find = async (): Promise<number | undefined> =>
    (await db.rows<{ id: number }>('SELECT id FROM millrace.workspace WHERE name = $1', [name]))[0]?.id;
  const found = await find();
  if (found !== undefined || isReadOnly) return found ?? -1;
  await db.run('INSERT INTO millrace.workspace (name) VALUES ($1) ON CONFLICT DO NOTHING', [name]);
  return (await find()) ?? -1;
}

interface SharedContext {
  readonly name: string;
  /** Number of the workspace. */
  readonly workspace: number;
  readonly home: string | undefined;
  readonly lease: LeaseTimes;
}

function createSharedHistory(db: PgDb, context: SharedContext): SharedHistory {
  return new PgSharedHistory(db, context);
}

class PgSharedHistory implements SharedHistory {
  readonly workspace: string;
  readonly place: string;
  readonly listRuns: SharedReads['listRuns'];
  readonly findSummary: SharedReads['findSummary'];
  readonly getRun: SharedReads['getRun'];
  readonly findRun: SharedReads['findRun'];
  readonly projectedSeq: SharedReads['projectedSeq'];
  readonly readEvents: SharedReads['readEvents'];
  readonly readText: SharedReads['readText'];
  readonly readValue: SharedReads['readValue'];
  readonly readValues: SharedReads['readValues'];
  readonly listWaiting: SharedReads['listWaiting'];
  readonly asksOf: SharedReads['asksOf'];
  readonly answersOf: SharedReads['answersOf'];
  readonly #db: PgDb;
  readonly #at: ReadsAt;
  readonly #home: string | undefined;
  readonly #records: RunRecords;
  readonly #projector: Projector;
  readonly #answers: RunAnswers;
  readonly #waiting: WaitingReads;
  readonly #watch: ChangeWatch;
  readonly #lease: Lease | undefined;

  constructor(db: PgDb, { name, workspace, home, lease }: SharedContext) {
    this.workspace = name;
    this.place = `${db.place}, workspace ${name}`;
    this.#db = db;
    this.#at = { workspace, place: this.place };
    this.#home = home;
    this.#records = new RunRecords(db, workspace);
    this.#projector = new Projector(db, { workspace, records: this.#records });
    this.#watch = new ChangeWatch(db, workspace);
    this.#answers = new RunAnswers(db, { workspace, announce: (tx, change) => this.#watch.announce(tx, change) });
    this.#waiting = new WaitingReads(db, workspace);
    this.#lease = home === undefined ? undefined : new Lease(db, workspace, { home, owner: randomUUID() }, lease);
    const reads = readsOf(db, this.#at);
    this.listRuns = reads.listRuns;
    this.findSummary = reads.findSummary;
    this.getRun = reads.getRun;
    this.findRun = reads.findRun;
    this.projectedSeq = reads.projectedSeq;
    this.readEvents = reads.readEvents;
    this.readText = reads.readText;
    this.readValue = reads.readValue;
    this.readValues = reads.readValues;
    this.listWaiting = reads.listWaiting;
    this.asksOf = reads.asksOf;
    this.answersOf = reads.answersOf;
  }

  async readTogether<Result>(read: (reads: SharedReads) => Promise<Result>): Promise<Result> {
    return await this.#db.snapshot((tx) => read(readsOf(tx, this.#at)));
  }

  async createRun(run: NewSharedRun): Promise<{ readonly definitionHash: string; readonly number: number }> {
    const own = run.host === undefined ? await this.#ownLease().take() : undefined;
    const { recorded, isNew, definitionHash } = await this.#records.create(run, own);
    if (isNew) {
      this.#projector.addNew(recorded);
      this.#watch.announceRuns();
    }
    return { definitionHash, number: recorded.number };
  }

  async project(batches: readonly RunBatch[]): Promise<void> {
    await this.#projector.project(batches);
    this.#watch.announceRuns();
  }

  async keepText(runId: RunId, text: string): Promise<string> {
    const { number } = await this.#records.find(this.#db, runId);
    const [hash = ''] = await keepTexts(this.#db, number, [text]);
    return hash;
  }

  async unsubmittedRuns(olderThanMs: number, limit: number): Promise<readonly UnsubmittedRun[]> {
    return await this.#records.unsubmitted(olderThanMs, limit);
  }

  async markSubmitted(runId: RunId, reference: string): Promise<void> {
    await this.#records.markSubmitted(runId, reference);
  }

  async hostOf(runId: RunId): Promise<DurableHost | undefined> {
    return await this.#records.hostOf(runId);
  }

  async claimAnswer(runId: RunId, answer: ReceivedAnswer): Promise<void> {
    await this.#answers.claim(runId, answer);
  }

  undeliveredAnswers: SharedHistory['undeliveredAnswers'] = async (of, limit) =>
    await this.#answers.undelivered(this.#ownerOf(of), limit);

  async markDelivered(ids: readonly number[]): Promise<void> {
    await this.#answers.markDelivered(ids);
  }

  async rejectAnswer(id: number): Promise<void> {
    await this.#answers.reject(id);
  }

  async request(...request: Parameters<SharedHistory['request']>): Promise<boolean> {
    return await this.#answers.request(...request);
  }

  openRequests: SharedHistory['openRequests'] = async (of, limit) =>
    await this.#answers.openRequests(this.#ownerOf(of), limit);

  async markDone(ids: readonly number[]): Promise<void> {
    await this.#answers.markDone(ids);
  }

  async dueAsks(now: number, limit: number): Promise<readonly DueAsk[]> {
    return await this.#waiting.due(now, limit);
  }

  async nextDeadline(after: number): Promise<number | undefined> {
    return await this.#waiting.nextDeadline(after);
  }

  async remind(ask: DueAsk, now: number): Promise<boolean> {
    return await this.#waiting.remind(ask, now);
  }

  watch(listener: (changes: ReadonlySet<SharedChange>) => void): () => void {
    return this.#watch.subscribe(listener);
  }

  async changesSince(cursor?: ChangeCursor): ReturnType<SharedHistory['changesSince']> {
    return await changesSince(this.#db, this.#at.workspace, cursor);
  }

  async own(runId: RunId): Promise<boolean> {
    return await this.#ownLease().own(runId);
  }

  async disown(runId: RunId): Promise<void> {
    await this.#lease?.disown(runId);
  }

  async readHome(): Promise<HomeProgress> {
    return await this.#records.ofHome(this.#home ?? '');
  }

  removeOldRuns: SharedHistory['removeOldRuns'] = async (options) =>
    await removeOldRuns(this.#db, { ...options, workspace: this.#at.workspace });

  async close(): Promise<void> {
    this.#watch.close();
    await this.#lease?.close();
    await this.#db.close();
  }

  #ownLease(): Lease {
    if (this.#lease === undefined) throw new Error('A history without `home` cannot own runs.');
    return this.#lease;
  }

  #ownerOf(of: 'durable' | 'own'): Owner {
    return of === 'durable' ? of : { home: this.#home ?? '' };
  }
}
