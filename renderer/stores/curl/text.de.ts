/**
 * The text of pasted curl commands in German.
 */
import { numberText, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  addedWithNotes: 'Die Anfrage wurde mit Änderungen hinzugefügt',
  messages: {
    // In the dative, for use after „aus“.
    places: {
      url: 'der URL',
      urlParameter: ({ name }) => `„${name}“ der URL`,
      header: ({ name }) => `dem Header ${name}`,
      body: 'dem Body',
      bodyField: ({ name }) => `„${name}“ des Bodys`,
      formField: ({ name }) => `„${name}“ des Formulars`,
    },
    command: {
      firstUrl: ({ count }) => `Nur die erste von ${numberText(count)} URLs wurde übernommen.`,
      rest: 'Der Text nach dem Befehl wurde ignoriert.',
      nested: 'Der Befehl enthält einen weiteren Befehl, der nicht ausgeführt wurde. Dessen Ergebnis fehlt.',
    },
    options: {
      insecure: 'Zertifikate werden immer geprüft; --insecure (-k) wurde ignoriert.',
      fail: 'Jeder Status gilt als Antwort. Fügen Sie statt --fail eine Bedingung für „status“ hinzu.',
      output:
        'Die Antwort ist die Ausgabe des Knotens. Fügen Sie statt --output danach einen Knoten „Write file“ hinzu.',
      'remote-name':
        'Die Antwort ist die Ausgabe des Knotens. Fügen Sie statt --remote-name danach einen Knoten „Write file“ hinzu.',
      'max-time': '--max-time wurde ignoriert. Das Zeitlimit wird unter „Richtlinie“ festgelegt.',
      'connect-timeout': '--connect-timeout wurde ignoriert. Das Zeitlimit wird unter „Richtlinie“ festgelegt.',
      retry: '--retry wurde ignoriert. Die Versuche werden unter „Richtlinie“ festgelegt.',
      'upload-file':
        '--upload-file wurde ignoriert. Lesen Sie die Datei mit „Read files“, und binden Sie den Body an ihren Text.',
      'cookie-jar': 'Cookies werden nicht gespeichert; --cookie-jar wurde ignoriert.',
      next: 'Nur die Anfrage vor --next wurde übernommen.',
    },
    unknownOption: ({ option }) => `${option} wurde ignoriert.`,
    request: {
      method: ({ method, usual }) =>
        `Die Methode ${method} ist bei einer Anfrage nicht möglich; verwendet wird ${usual}.`,
      variableServer: 'Der Server in der URL ist eine Shell-Variable. Geben Sie den Server ein.',
      header: ({ header }) => `Der Header ${header} wurde ignoriert.`,
      connectionHeaders: ({ headers }) => `Ignoriert, weil jede Verbindung sie selbst setzt: ${headers}.`,
      cookieFile: ({ file }) => `Die Cookies der Datei ${file} wurden ignoriert.`,
      passwordMissing: '--user enthält kein Passwort. curl würde danach fragen; hier ist es leer.',
      variableLogin: 'Die Anmeldung in --user enthält Variablen. Das Geheimnis muss „Name:Passwort“ in Base64 sein.',
      bodyFile: ({ file }) =>
        `Der Inhalt der Datei ${file} wurde nicht übernommen. Lesen Sie ihn mit „Read files“, und binden Sie den Body an den Text.`,
      bodyIgnored: ({ method }) =>
        `Eine ${method}-Anfrage hat hier keinen Body, er wurde ignoriert. Wählen Sie eine andere Methode, wenn der Server sie akzeptiert.`,
      formIgnored: ({ method }) =>
        `Eine ${method}-Anfrage hat hier kein Formular, es wurde ignoriert. Wählen Sie eine andere Methode, wenn der Server sie akzeptiert.`,
    },
    form: {
      ignored: ({ name }) => `Der Teil ${name} des Formulars wurde ignoriert.`,
      unnamedIgnored: 'Ein Teil des Formulars ohne Namen wurde ignoriert.',
      file: ({ file }) => `Das Formular sendet die Datei ${file}, die im Arbeitsbereich liegen muss.`,
    },
  },
};
