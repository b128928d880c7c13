/**
 * The text about updates in dialogs and in the settings.
 */
import { inLanguage } from '../language.ts';

interface Versioned {
  readonly version: string;
}
interface Locked {
  /** A team and its file. */
  readonly team: string;
}

const english = {
  rollback: ({ version, former }: Versioned & { readonly former: string }) =>
    `Millrace ${version} failed to start several times. Go back to ${former}?`,
  rollbackDetail: 'Its package is still here and replaces this one. Flows, packs and settings stay as they are.',
  goBack: ({ version }: Versioned) => `Go Back to ${version}`,
  startNormally: 'Start Normally',
  byHand: ({ command }: { readonly command: string }) => `Run this command:\n\n${command}`,
  installFailed: ({ version }: Versioned) => `Couldn't install ${version}`,
  fromClone: 'This program runs from a clone or an unknown package. Update it the way you installed it.',
  noKey: 'This program was built without a key for updates, so it never checks for newer versions.',
  noFeed: 'This program was built without an address for updates, so it never checks for newer versions.',
  turnedOff: ({ team }: Locked) => `Updates are turned off by ${team}.`,
  channelLocked: ({ team }: Locked) => `The update channel is set by ${team}.`,
  older: ({ channel, version }: Versioned & { readonly channel: string }) =>
    `The channel ${channel} has ${version}, which is older.`,
  manual: ({ kind }: { readonly kind: string }) =>
    `This program was installed from a ${kind} package, which it cannot update by itself. Download the new version from where you got this one.`,
  unknownFailure: 'The update failed for an unknown reason.',
  noPkexec: 'This system has no pkexec, which asks for the password.',
  notAllowed: 'The system did not let this program ask for the password.',
  replaceFailed: ({ program, reason }: { readonly program: string; readonly reason: string }) =>
    `Couldn't replace ${program}. ${reason}`.trim(),
};

export type UpdateText = typeof english;

/** Returns the text in the current language. */
export const text = inLanguage<UpdateText>('updates', english);
