/**
 * Stores the program's settings between starts, in a JSON file that main owns in the user's data folder.
 */
import { copyFileSync, renameSync, statSync } from 'node:fs';
import { z } from 'zod';
import { preferencesSchema, themeSchema } from '../ipc/contracts/main-contract.ts';
import { updateChannel } from '../ipc/contracts/update-contract.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';

const maxRecentWorkspaces = 10;

const windowBounds = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  isMaximized: z.boolean(),
});

const settingsSchema = z.object({
  theme: themeSchema.default('system'),
  /** Absolute paths, most recently opened first. */
  recentWorkspaces: z.array(z.string()).default([]),
  /** Bounds of the most recently closed window, in device-independent pixels. */
  windowBounds: windowBounds.optional(),
  /** Zoom of windows; 1 = 100 %. */
  zoom: z.number().min(0.5).max(2).optional(),
  /** Editor preferences. Unknown values from a newer version must not invalidate the other settings. */
  preferences: preferencesSchema.optional().catch(undefined),
  /** Whether triggers run while no window is open. */
  keepsRunning: z.boolean().default(false),
  updates: z
    .object({
      isAutomatic: z.boolean().default(true),
      channel: updateChannel.default('stable'),
      /** Time of the last update check, in epoch milliseconds; null if never. */
      checkedAt: z.number().nullable().default(null),
    })
    .optional()
    .catch(undefined),
});

export type ProgramSettings = z.output<typeof settingsSchema>;
export type WindowBounds = z.output<typeof windowBounds>;

export interface SettingsStore {
  readonly settings: ProgramSettings;
  /**
   * Changes some settings and writes all of them. Throws file system errors; the change then applies until the program
   * ends.
   */
  update(change: Partial<ProgramSettings>): void;
  /**
   * Resets all settings. @returns the path of a copy; null if nothing was stored. Throws file system errors, without
   * changing anything
   */
  reset(): string | null;
  /**
   * Returns existing recent folders, most recently opened first. Folders on a disconnected drive are returned again
   * once it is connected.
   */
  recentWorkspaces(): string[];
  /** Moves a folder to the top of the recent folders. */
  rememberWorkspace(folder: string): void;
}

/**
 * Reads the settings. An unreadable file is kept as `<file>.broken`, and the defaults are used.
 * @param file null to start with defaults and store nothing
 */
export function openSettingsStore(file: string | null): SettingsStore {
  let settings = file === null ? settingsSchema.parse({}) : readSettings(file);
  const update = (change: Partial<ProgramSettings>): void => {
    settings = { ...settings, ...change };
    if (file !== null) writeOwnFile(file, `${JSON.stringify(settings, null, 2)}\n`);
  };
  return {
    get settings() {
      return settings;
    },
    update,
    reset() {
      const copy =
        file !== null && statSync(file, { throwIfNoEntry: false }) !== undefined ? `${file}.before-reset` : null;
      if (file !== null && copy !== null) copyFileSync(file, copy);
      settings = settingsSchema.parse({});
      update({});
      return copy;
    },
    recentWorkspaces: () => settings.recentWorkspaces.filter(isFolder),
    rememberWorkspace(folder) {
      const others = settings.recentWorkspaces.filter((other) => other !== folder);
      update({ recentWorkspaces: [folder, ...others].slice(0, maxRecentWorkspaces) });
    },
  };
}

function readSettings(file: string): ProgramSettings {
  const text = readOwnFile(file);
  if (text === undefined) return settingsSchema.parse({});
  try {
    return settingsSchema.parse(JSON.parse(text));
  } catch {
    renameSync(file, `${file}.broken`);
    return settingsSchema.parse({});
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
