/**
 * The text about updates in German.
 */
import type { UpdateText } from './text.ts';

export const german: UpdateText = {
  rollback: ({ version, former }) => `Millrace ${version} ist mehrmals nicht richtig gestartet. Zurück zu ${former}?`,
  rollbackDetail: 'Ihr Paket ist noch da und ersetzt dieses. Flows, Pakete und Einstellungen bleiben, wie sie sind.',
  goBack: ({ version }) => `Zurück zu ${version}`,
  startNormally: 'Normal starten',
  byHand: ({ command }) => `Führen Sie diesen Befehl aus:\n\n${command}`,
  installFailed: ({ version }) => `${version} konnte nicht installiert werden`,
  fromClone:
    'Dieses Programm läuft aus einem Klon oder einem unbekannten Paket. Aktualisieren Sie es so, wie Sie es installiert haben.',
  noKey: 'Dieses Programm wurde ohne Schlüssel für Updates gebaut und sucht daher nie nach neueren Versionen.',
  noFeed: 'Dieses Programm wurde ohne Adresse für Updates gebaut und sucht daher nie nach neueren Versionen.',
  turnedOff: ({ team }) => `Updates sind abgeschaltet von ${team}.`,
  channelLocked: ({ team }) => `Der Kanal für Updates ist festgelegt von ${team}.`,
  older: ({ channel, version }) => `Der Kanal ${channel} hat ${version}, eine ältere Version.`,
  manual: ({ kind }) =>
    `Dieses Programm wurde aus einem Paket der Art ${kind} installiert, das es nicht selbst aktualisieren kann. Laden Sie die neue Version dort herunter, wo Sie diese erhalten haben.`,
  unknownFailure: 'Das Update ist aus unbekanntem Grund fehlgeschlagen.',
  noPkexec: 'Diesem System fehlt pkexec, das nach dem Passwort fragt.',
  notAllowed: 'Das System hat diesem Programm nicht erlaubt, nach dem Passwort zu fragen.',
  replaceFailed: ({ program, reason }) => `${program} konnte nicht ersetzt werden. ${reason}`.trim(),
};
