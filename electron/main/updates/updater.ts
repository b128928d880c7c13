/**
 * Updates the program step by step: checking, downloading, installing, and going back. Only the check runs without a
 * user action, at most once a day. An error at any step leaves the program unchanged.
 */

import type { UpdateChannel, UpdateStep, Updates } from '../../ipc/contracts/update-contract.ts';
import { type Clock, EngineError, explainSystemError } from '../../ipc/engine-base.ts';
import { isPackageIntact, UpdateFeed } from './feed.ts';
import type { InstallPackage, Restart } from './install-package.ts';
import { installStoredPackage, type StoredUpdatePackage, type StoredUpdatePackages } from './kept-packages.ts';
import { judge, type OwnProgram, ownRelease, type ProgramRelease, safeAddress } from './manifest.ts';
import { text } from './text.ts';
import { type UpdateSource, whyNever } from './update-source.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The user's update settings, and the time of the last check. */
export interface UpdateSettings {
  readonly isAutomatic: boolean;
  readonly channel: UpdateChannel;
  /** Time in epoch milliseconds; null if never. */
  readonly checkedAt: number | null;
}

/** Update settings of a team; undefined if not set. */
export interface TeamUpdates {
  readonly channel: UpdateChannel | 'none';
  readonly feed?: string | undefined;
  /** The team's name and its file. */
  readonly lockedBy: string;
}

export interface UpdaterParts {
  readonly source: UpdateSource;
  readonly version: string;
  readonly arch: string;
  readonly kept: StoredUpdatePackages;
  readonly clock: Clock;
  readonly feed?: UpdateFeed;
  readonly settings: UpdateSettings;
  /** Undefined if the user has to install packages of this type. */
  readonly install: InstallPackage | undefined;
  readonly team: () => Promise<TeamUpdates | undefined>;
  readonly keepSettings: (settings: UpdateSettings) => void;
  /** Called when `state` has changed. */
  readonly onChange: (state: Updates) => void;
  /** Exits the program, unless the user declines, and starts `next`; null if another process restarts it. */
  readonly restart: (next: Restart | null) => void;
}

export class Updater {
  readonly #parts: UpdaterParts;
  readonly #feed: UpdateFeed;
  #settings: UpdateSettings;
  #team: TeamUpdates | undefined;
  #step: UpdateStep = { name: 'idle' };
  /** The release that the step `found` and later steps refer to. */
  #release: ProgramRelease | undefined;
  #work: AbortController | undefined;
  /** The program to start after an installation. */
  #next: Restart | null = null;

  constructor(parts: UpdaterParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
    this.#feed = parts.feed ?? new UpdateFeed(parts.clock);
  }

  /** Returns the current state. */
  async read(): Promise<Updates> {
    this.#team = await this.#parts.team();
    return this.#state();
  }

  /** Checks for a newer version if the user allows it and there has been no check today. */
  async checkDaily(): Promise<void> {
    const { checkedAt, isAutomatic } = this.#settings;
    const now = this.#parts.clock.now();
    // A clock that was set back must not prevent checks for years.
    const isRecent = checkedAt !== null && checkedAt <= now && now - checkedAt < dayMs;
    if (isAutomatic && !isRecent) await this.check();
  }

  /** @throws EngineError `team.locked` */
  async set(change: { readonly isAutomatic?: boolean; readonly channel?: UpdateChannel }): Promise<void> {
    this.#team = await this.#parts.team();
    const { channel = this.#settings.channel } = change;
    if (this.#team !== undefined && channel !== this.#settings.channel) {
      throw new EngineError({
        code: 'team.locked',
        message: text().channelLocked({ team: this.#team.lockedBy }),
      });
    }
    const isOther = channel !== this.#settings.channel;
    this.#keep({ ...this.#settings, ...change });
    // A release found in another channel is not offered in this one.
    if (isOther && !this.#isBusy) this.#release = undefined;
    this.#show(isOther && !this.#isBusy ? { name: 'idle' } : this.#step);
  }

  /** Checks for a newer version. */
  async check(): Promise<void> {
    const { kind, keys } = this.#parts.source;
    // These are required whatever the team settings are.
    if (kind === undefined || keys.length === 0) return;
    const canLook = ['idle', 'newest', 'found', 'failed', 'by-hand'].includes(this.#step.name);
    this.#team = await this.#parts.team();
    if (this.#never() !== null || !canLook || this.#isBusy) return;
    await this.#do(async (signal) => {
      this.#show({ name: 'checking' });
      this.#release = undefined;
      this.#keep({ ...this.#settings, checkedAt: this.#parts.clock.now() });
      const own = this.#own();
      const address = this.#address(own.channel, 'latest');
      const verdict = judge(await this.#feed.readManifest(address, this.#parts.source.keys, signal), own, address);
      if (verdict.is === 'newer') {
        this.#release = verdict.release;
        return this.#found(verdict.release);
      }
      const isOlder = verdict.is === 'older';
      return {
        name: 'newest',
        note: isOlder ? text().older({ channel: own.channel, version: verdict.version }) : null,
      };
    });
  }

  /** Downloads the found release. Also downloads this version's package, for going back to it, if it is missing. */
  async download(): Promise<void> {
    const release = this.#release;
    if (release === undefined || this.#parts.install === undefined || this.#step.name !== 'found') return;
    await this.#do(async (signal) => {
      const shown = this.#shown(release);
      const tell = createProgress(release.size, (received) =>
        this.#show({ name: 'downloading', release: shown, received }),
      );
      tell(0);
      await this.#feed.download(release, this.#parts.kept.fileOf(release), signal, tell);
      const former = await this.#formerPackage(signal);
      this.#parts.kept.keep(former === undefined ? [release] : [former, release]);
      return { name: 'ready', release: shown, wayBack: former?.version ?? null };
    });
  }

  /** Cancels a download. The found release is kept. */
  cancel(): void {
    if (this.#step.name === 'downloading') this.#work?.abort();
  }

  /** Installs the downloaded release and restarts. */
  async install(): Promise<void> {
    const release = this.#release;
    if (this.#step.name === 'installed') return this.#parts.restart(this.#next);
    const canInstall = this.#step.name === 'ready' || this.#step.name === 'by-hand';
    if (release === undefined || !canInstall) return;
    const before = this.#step;
    await this.#do(async () => {
      this.#show({ name: 'installing', release: this.#shown(release) });
      return (await this.#install(release)) ?? before;
    });
  }

  /** Returns the next step; undefined if the user declined. */
  async #install(release: ProgramRelease): Promise<UpdateStep | undefined> {
    const { kept, install, restart } = this.#parts;
    if (install === undefined) return undefined;
    const ended = await installStoredPackage(kept, release, { install, isOlder: false });
    const shown = this.#shown(release);
    if (ended.is === 'refused') return undefined;
    if (ended.is === 'by-hand') return { name: 'by-hand', release: shown, why: ended.why, command: ended.command };
    this.#next = ended.is === 'done' ? ended.restart : null;
    restart(this.#next);
    return { name: 'installed', release: shown };
  }

  /** Downloads this version's package. If that fails, the update continues without it. */
  async #formerPackage(signal: AbortSignal): Promise<StoredUpdatePackage | undefined> {
    const { kept, version } = this.#parts;
    const known = kept.ofVersion(version);
    if (known !== undefined && (await isPackageIntact(kept.fileOf(known), known))) return known;
    try {
      const own = this.#own();
      const address = this.#address(own.channel, version);
      const release = ownRelease(await this.#feed.readManifest(address, this.#parts.source.keys, signal), own, address);
      await this.#feed.download(release, kept.fileOf(release), signal, () => undefined);
      return release;
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
  }

  /** Runs one task at a time. An error becomes the `failed` step. */
  async #do(work: (signal: AbortSignal) => Promise<UpdateStep>): Promise<void> {
    const controller = new AbortController();
    this.#work = controller;
    let next: UpdateStep;
    try {
      next = await work(controller.signal);
    } catch (error) {
      const { aborted } = controller.signal;
      next = aborted && this.#release !== undefined ? this.#found(this.#release) : failed(error);
    }
    this.#work = undefined;
    this.#show(next);
  }

  get #isBusy(): boolean {
    return this.#work !== undefined;
  }

  /** @throws EngineError `update.bad-address` */
  #address(channel: UpdateChannel, name: string): URL {
    const feed = this.#team?.feed ?? this.#parts.source.feed;
    return new URL(`${channel}/${name}.json`, safeAddress(feed.endsWith('/') ? feed : `${feed}/`));
  }

  #own(): OwnProgram {
    const { version, arch, source } = this.#parts;
    return { version, arch, kind: source.kind ?? 'tar.gz', channel: this.#channel };
  }

  get #channel(): UpdateChannel {
    const ofTeam = this.#team?.channel;
    return ofTeam === undefined || ofTeam === 'none' ? this.#settings.channel : ofTeam;
  }

  #never(): string | null {
    if (this.#team?.channel === 'none') return text().turnedOff({ team: this.#team.lockedBy });
    const { source } = this.#parts;
    return whyNever(this.#team?.feed === undefined ? source : { ...source, feed: this.#team.feed });
  }

  #found(release: ProgramRelease): UpdateStep {
    return {
      name: 'found',
      release: this.#shown(release),
      manual: this.#parts.install === undefined ? text().manual({ kind: release.kind }) : null,
    };
  }

  #shown({ version, size, date, notes }: ProgramRelease) {
    return { version, size, date, notes, hasFailed: this.#parts.kept.hasFailed(version) };
  }

  #keep(settings: UpdateSettings): void {
    this.#settings = settings;
    this.#parts.keepSettings(settings);
  }

  #show(step: UpdateStep): void {
    this.#step = step;
    this.#parts.onChange(this.#state());
  }

  #state(): Updates {
    return {
      version: this.#parts.version,
      never: this.#never(),
      isAutomatic: this.#settings.isAutomatic,
      channel: this.#channel,
      lockedBy: this.#team?.lockedBy ?? null,
      checkedAt: this.#settings.checkedAt,
      step: this.#step,
    };
  }
}

function failed(error: unknown): UpdateStep {
  if (EngineError.is(error)) return { name: 'failed', message: error.message };
  return { name: 'failed', message: explainSystemError(error) ?? text().unknownFailure };
}

/** Reports download progress at most a hundred times. */
function createProgress(size: number, tell: (received: number) => void): (received: number) => void {
  let told = -1;
  return (received) => {
    const percent = Math.floor((received / size) * 100);
    if (percent > told) tell(received);
    told = Math.max(told, percent);
  };
}
