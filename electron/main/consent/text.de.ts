/**
 * The text of the system dialogs that ask for consent, in German.
 */
import { plural } from '../language.ts';
import type { ConsentText } from './text.ts';

export const german: ConsentText = {
  cancel: 'Abbrechen',
  allow: 'Erlauben',
  cut: ({ count }) => `… (${count} weitere)`,
  trust: {
    message: 'Diesem Ordner vertrauen?',
    detail:
      'Agenten darin können dann alles, was Sie können: Befehle und git ausführen, Webserver aufrufen und überall Dateien lesen und schreiben. Erlauben Sie es nur, wenn Sie sie gelesen haben oder wissen, wer sie geschrieben hat.',
    allow: 'Diesem Ordner vertrauen',
  },
  folder: {
    message: 'Diesen Ordner öffnen?',
    detail:
      'Dieses Fenster und die Flows und Agenten, die es startet, können dann die Dateien im Ordner lesen und ändern.',
    allow: 'Ordner öffnen',
    linked: 'Den Ordner öffnen, den ein Link nennt?',
    linkedDetail:
      'Eine Webseite, eine E-Mail oder ein anderes Programm verlangt es. Flows und Agenten in seinem Fenster können dann die Dateien im Ordner lesen und ändern. Öffnen Sie ihn nur, wenn Sie gerade einem Link von jemandem gefolgt sind, den Sie kennen.',
    home: 'Einen Ordner öffnen, der Ihren Benutzerordner enthält?',
    homeDetail:
      'Flows und Agenten in diesem Fenster können dann fast alle Ihre Dateien lesen und ändern. Wählen Sie für sie besser einen eigenen Ordner. Namen in Ihrem Benutzerordner, die mit einem Punkt beginnen, wie .ssh, bleiben für ihre Dateinamen gesperrt.',
    openAnyway: 'Trotzdem öffnen',
  },
  host: {
    message: ({ host }) => `Modellanfragen an ${host} senden?`,
    detail: ({ name, host }) => `Anfragen an Modelle von „${name}“ gehen dann an ${host}.`,
    detailWithKey: ({ name, host, key }) =>
      `Anfragen an Modelle von „${name}“ gehen dann an ${host} und mit ihnen der Schlüssel ${key}.`,
    former: ({ host }) => `Bisher gingen sie an ${host}.`,
    warning: 'Erlauben Sie es nur, wenn Sie diesen Host kennen und dies gerade verlangt haben.',
    allow: 'Diesen Host erlauben',
    allowWithKey: 'Diesen Host und Schlüssel erlauben',
  },
  remote: {
    message: ({ server }) => `Mit ${server} verbinden?`,
    detail: ({ database, user }) => `Millrace verbindet sich dann als ${user} mit der Datenbank „${database}“.`,
    password: 'Das gerade eingegebene Passwort wird im Tresor gespeichert und an diesen Server gesendet.',
    unencrypted: 'Die Verbindung ist nicht verschlüsselt.',
    warning: 'Erlauben Sie es nur, wenn Sie diesen Server kennen und ihn gerade eingegeben haben.',
    allow: 'Mit diesem Server verbinden',
  },
  pack: {
    message: 'Dieses Paket installieren?',
    detail:
      'Ein Paket ist fremder Code. Es ersetzt in allen Arbeitsbereichen ein älteres Paket gleichen Namens. In Arbeitsbereichen, denen Sie vertrauen, können seine Agenten alles, was Sie können.',
    allow: 'Paket installieren',
  },
  key: {
    replace: ({ name }) => `Den Schlüssel ${name} ersetzen?`,
    replaceDetail:
      'Modelle werden dann mit dem neuen Schlüssel aufgerufen und bezahlt. Der jetzige Schlüssel wird gelöscht oder, wenn er aus der Umgebung kommt, nicht mehr verwendet.',
    allow: 'Schlüssel ersetzen',
  },
  secret: {
    replace: ({ name }) => `Das Geheimnis ${name} ersetzen?`,
    replaceDetail: 'Flows senden dann den neuen Wert. Der jetzige Wert wird gelöscht.',
    replaceOne: 'Geheimnis ersetzen',
    replaceMany: ({ count }) => `${count} Geheimnisse ersetzen?`,
    replaceManyDetail: 'Flows senden dann die neuen Werte. Die jetzigen Werte werden gelöscht.',
    replaceAll: 'Geheimnisse ersetzen',
    remove: ({ name }) => `Das Geheimnis ${name} entfernen?`,
    removeDetail:
      'Sein Wert wird gelöscht. Flows, die es verwenden, können erst wieder laufen, wenn Sie es neu eingeben.',
    removeButton: 'Geheimnis entfernen',
    send: ({ name, host }) => `Das Geheimnis ${name} an ${host} senden?`,
    sendDetail:
      'Flows dieses Arbeitsbereichs können es dann bei jedem Lauf dorthin senden, Flows anderer Arbeitsbereiche nicht. Erlauben Sie es nur, wenn das Geheimnis zu diesem Host gehört.',
    allowHost: 'Diesen Host erlauben',
    use: ({ names }) => `Darf dieser Flow ${names} verwenden?`,
    useDetail:
      'Der Flow kommt aus einem Paket, oder diesem Arbeitsbereich wird nicht vertraut. Er kann also von jemand anderem sein. Erlauben Sie es nur, wenn Sie geprüft haben, wohin er diese Geheimnisse sendet. Dies gilt, bis sich der Text des Flows oder die Version seines Pakets ändert.',
    allowUse: ({ count }) => plural(count, { one: 'Dieses Geheimnis erlauben', other: 'Diese Geheimnisse erlauben' }),
  },
  permission: {
    message: ({ count }) =>
      plural(count, { one: 'Diese Berechtigung geben?', other: `Diese ${count} Berechtigungen geben?` }),
    more: ({ count }) => `… und ${count} weitere`,
    kept: ({ count, workspace }) =>
      plural(count, {
        one: `Sie gilt auch für spätere Läufe in ${workspace}.`,
        other: `Sie gelten auch für spätere Läufe in ${workspace}.`,
      }),
    trust:
      'In einem Arbeitsbereich, dem Sie vertrauen, können Flows und Agenten alles, was Sie können: Befehle ausführen, jede Adresse erreichen und überall Dateien lesen und schreiben.',
    warning: 'Erlauben Sie es nur, wenn Sie wissen, was der Flow tut.',
    allow: ({ count }) => plural(count, { one: 'Erlauben', other: `${count} erlauben` }),
    allowAll: 'Alle erlauben',
  },
  written: {
    message: ({ path }) => `Die Änderung an ${path} erlauben?`,
    runs: 'Ein Lauf hat diese Datei geschrieben. Wenn Sie die Änderung erlauben, arbeitet die Datei wie in einem vertrauenswürdigen Arbeitsbereich und entscheidet damit, was spätere Läufe dürfen. Diese Zeilen wurden geändert:',
    decides: ({ what }) =>
      `Ein Lauf hat diese Datei geschrieben. Sie entscheidet, was spätere Läufe dürfen (${what}). Diese Zeilen wurden geändert:`,
    more: ({ count }) => `… und ${count} weitere Zeilen`,
    warning: 'Erlauben Sie es nur, wenn Sie die ganze Änderung gelesen haben.',
  },
  trigger: {
    switchOn: ({ name, flow }) => `Den Auslöser ${name} von ${flow} einschalten?`,
    confirm: ({ name, flow }) => `Den Auslöser ${name} nach den Änderungen an ${flow} eingeschaltet lassen?`,
    cron: ({ cron, zone }) => `Startet um: ${cron} (${zone})`,
    every: ({ every }) => `Startet alle ${every}`,
    files: ({ glob }) => `Startet, wenn sich Dateien ändern: ${glob}`,
    webhook: ({ request }) => `Startet bei Anfragen: ${request}`,
    open: 'Jeder, der diese Adresse erreicht, kann ihn starten.',
    secrets: ({ names }) => `Prüft Anfragen mit Geheimnissen: ${names}`,
    after: ({ flow }) => `Startet nach Läufen von ${flow}`,
    next: ({ time }) => `Nächstes Mal: ${time}`,
    locale: 'de-DE',
    hosts: ({ hosts }) => `Sendet Anfragen an: ${hosts}`,
    missing: 'Fehlende Berechtigungen, auf die seine Läufe warten werden:',
    more: ({ count }) => `… und ${count} weitere`,
    starts:
      'Millrace startet dann Läufe, ohne Sie zu fragen. Wenn sich der Flow oder etwas, das er aufruft, ändert, wartet der Auslöser, bis Sie ihn bestätigen.',
    background: 'Millrace im Hintergrund weiterlaufen lassen?',
    backgroundDetail:
      'Auslöser starten Läufe nur, solange Millrace im Hintergrund läuft oder „millrace serve“ für diesen Arbeitsbereich läuft. Sie können das in den Einstellungen ändern.',
    keepRunning: 'Weiterlaufen lassen',
    allowOn: 'Einschalten',
    allowConfirm: 'Eingeschaltet lassen',
  },
  session: {
    message: 'Die Auslöser dieses Ordners mit Ihrer Sitzung starten?',
    detail:
      'systemd führt dann „millrace serve“ für diesen Ordner aus, sobald Sie angemeldet sind, auch wenn Millrace geschlossen ist. Schlüssel liest der Dienst aus der Umgebung und aus .millrace/.env, nicht aus den Einstellungen.',
    allow: 'Mit meiner Sitzung starten',
    onlyLinux:
      'Nur ein installiertes Millrace unter Linux kann mit Ihrer Sitzung starten, denn dafür ist systemd nötig.',
    noWorkspace: 'Öffnen Sie zuerst einen Ordner: Jeder hat seinen eigenen Dienst.',
  },
  publish: {
    publish: ({ flow }) => `${flow} veröffentlichen?`,
    confirm: ({ flow }) => `${flow} nach den Änderungen veröffentlicht lassen?`,
    change: ({ flow }) => `Ändern, wie ${flow} veröffentlicht ist?`,
    address: ({ address }) => `Für Programme mit Schlüssel: ${address}`,
    pageWithKey: ({ address }) => `Formularseite für Menschen mit Schlüssel: ${address}`,
    pageForAll: ({ address }) => `Formularseite für alle, die sie erreichen: ${address}`,
    progress: 'Die Formularseite zeigt die Schritte und Ausgaben ihrer Läufe.',
    noPage: 'Keine Formularseite',
    limits: ({ runsAtOnce, perHour, megabytes }) =>
      `Grenzen: ${runsAtOnce} unbeendete Läufe, ${perHour} Läufe pro Stunde, ${megabytes} MB pro Anfrage`,
    starts:
      'Andere können dann ohne Sie Läufe starten. Wenn sich der Flow oder etwas, das er aufruft, ändert, werden Aufrufe abgelehnt, bis Sie ihn bestätigen.',
    backgroundDetail:
      'Ein veröffentlichter Flow kann nur aufgerufen werden, solange Millrace im Hintergrund läuft oder „millrace serve“ für diesen Arbeitsbereich läuft. Sie können das in den Einstellungen ändern.',
    allow: { publish: 'Veröffentlichen', confirm: 'Veröffentlicht lassen', change: 'Ändern' },
    key: ({ name }) => `Den Schlüssel ${name} anlegen?`,
    keyDetail: ({ address }) =>
      `Programme mit diesem Schlüssel können unter ${address} Läufe starten, deren Ausgaben lesen und deren Fragen beantworten, bis Sie ihn widerrufen. Der Schlüssel wird einmal angezeigt.`,
    allowKey: 'Schlüssel anlegen',
  },
  tool: {
    message: ({ name }) => `Das Tool ${name} aufrufen?`,
    detail:
      'Jeder Aufruf kann Dinge außerhalb dieses Arbeitsbereichs ändern oder Daten nach außen senden. Erlauben Sie es nur, wenn Sie dies gerade verlangt haben.',
    allow: 'Tool aufrufen',
  },
  messages: {
    command: 'Dieses Programm immer ausführen, wenn ein Lauf auf Sie wartet?',
    commandDetail:
      'Es erhält die Anfragen aller Arbeitsbereiche und kann alles, was Sie können. Erlauben Sie es nur, wenn Sie es gerade gewählt haben.',
    allowCommand: 'Dieses Programm ausführen',
    request: 'Immer eine Nachricht an diese Adresse senden, wenn ein Lauf auf Sie wartet?',
    requestDetail: 'Sie erhält die Anfragen aller Arbeitsbereiche.',
    requestDetailWithSecrets: ({ names }) => `Sie erhält die Anfragen aller Arbeitsbereiche und mit ihnen ${names}.`,
    warning: 'Erlauben Sie es nur, wenn Sie diese Adresse kennen und gerade eingegeben haben.',
    allowRequest: 'Nachrichten senden',
  },
  processes: {
    message: ({ count }) =>
      plural(count, {
        one: 'Den Prozess beenden, den dieser Lauf hinterlassen hat?',
        other: `${count} Prozesse beenden, die dieser Lauf hinterlassen hat?`,
      }),
    more: ({ count }) => `und ${count} weitere`,
    detail: ({ count }) =>
      plural(count, {
        one: 'Befehle des Laufs haben ihn gestartet, bevor der Lauf unterbrochen wurde. Seine ungespeicherten Daten gehen verloren.',
        other:
          'Befehle des Laufs haben sie gestartet, bevor der Lauf unterbrochen wurde. Ihre ungespeicherten Daten gehen verloren.',
      }),
    end: ({ count }) => plural(count, { one: 'Prozess beenden', other: 'Prozesse beenden' }),
  },
  run: {
    delete: ({ number, name }) => `Lauf ${number} von ${name} löschen?`,
    deleteDetail:
      'Seine Eingaben, Ereignisse und Ausgaben werden aus dem Verlauf entfernt. Das kann nicht rückgängig gemacht werden. Dateien, die der Lauf geschrieben hat, bleiben.',
    deleteButton: 'Lauf löschen',
  },
  oldRuns: {
    message: 'Alte Läufe dieses Arbeitsbereichs automatisch löschen?',
    age: ({ count }) =>
      plural(count, {
        one: '• Läufe, die vor mehr als 1 Tag geendet haben',
        other: `• Läufe, die vor mehr als ${count} Tagen geendet haben`,
      }),
    number: ({ count }) =>
      plural(count, {
        one: '• Alle außer dem neuesten Lauf jedes Flows',
        other: `• Alle außer den neuesten ${count} Läufen jedes Flows`,
      }),
    none: 'Zurzeit wird kein Lauf gelöscht.',
    now: ({ count, date }) =>
      plural(count, {
        one: `Jetzt wird 1 Lauf vom ${date} gelöscht.`,
        other: `Jetzt werden ${count} Läufe gelöscht, der älteste vom ${date}.`,
      }),
    warning: 'Gelöschte Läufe können nicht wiederhergestellt werden. Dateien, die sie geschrieben haben, bleiben.',
    allow: 'Alte Läufe löschen',
  },
  copies: {
    message: 'Alte Kopien geänderter Dateien löschen?',
    size: ({ count, former }) => `• Höchstgröße: ${count} MiB (jetzt ${former} MiB)`,
    age: ({ count, former }) => `• Höchstalter in Tagen: ${count} (jetzt ${former})`,
    used: ({ count }) => `Die Kopien belegen jetzt ${count} MiB.`,
    warning:
      'Kopien, die diese Grenzen überschreiten, werden gelöscht und können nicht wiederhergestellt werden. Diese Änderungen von Läufen können dann nicht mehr rückgängig gemacht werden. Die geänderten Dateien bleiben.',
    allow: 'Alte Kopien löschen',
  },
  recording: {
    message: 'Modelle und Dienste jetzt aufrufen und die Antworten aufzeichnen?',
    only: ({ name, file }) => `Test „${name}“ in ${file}`,
    model: ({ name }) => `• Modell aller Knoten und Agenten: ${name}`,
    ownModels: '• Modelle: die der Flows und Agenten',
    version: ({ name }) => `• Version der Dateien: ${name} (Git)`,
    run: ({ number }) => `• Version des Flows: wie Lauf ${number} ihn ausgeführt hat`,
    currentVersion: '• Version der Dateien: die aktuelle, mit ungespeicherten Änderungen',
    missing: ({ count }) =>
      count === 1 ? '• Aufrufe von 1 Test ohne Aufzeichnung' : `• Aufrufe von ${count} Tests ohne Aufzeichnung`,
    all: ({ count }) => `• Alle Aufrufe von ${count} ${count === 1 ? 'Test' : 'Tests'}`,
    cost: ({ low, high }) => (low === high ? `• Geschätzte Kosten: ${low}` : `• Geschätzte Kosten: ${low} bis ${high}`),
    mostCost: ({ high }) => `• Geschätzte Kosten: höchstens ${high}`,
    unknownCost: '• Kosten: unbekannt, weil diese Flows noch nicht gelaufen sind',
    warning:
      'Beim Aufzeichnen gehen Daten an die Modelle, Dienste und Werkzeuge, die die Flows verwenden, und deren Wirkungen nach außen sind echt. Dateien, die die Tests schreiben, werden verworfen.',
    allow: 'Aufrufen und aufzeichnen',
  },
  team: {
    apply: ({ team }) => `Darf ${team} Einstellungen auf diesem Computer verwalten?`,
    applyOlder: ({ team, former, version }) =>
      `Version ${former} von ${team} durch die ältere Version ${version} ersetzen?`,
    signed: ({ version, fingerprint }) => `Version ${version}, signiert mit dem Schlüssel\n${fingerprint}`,
    newer: ({ version }) => `Aktualisiert die installierte Version ${version}.`,
    same: ({ version }) => `Version ${version} ist mit demselben Inhalt bereits installiert.`,
    changed: ({ version }) =>
      `Version ${version} ist mit anderem Inhalt installiert. Dieses Paket ersetzt sie unter derselben Version.`,
    older: ({ version, former }) => `Geht zurück zu Version ${version}: Die installierte Version ${former} ist neuer.`,
    none: 'keine',
    packs: ({ names }) => `Pakete: ${names}`,
    providers: ({ names }) => `Modellanbieter: ${names}`,
    workspaces: ({ names }) => `Vertrauenswürdige Arbeitsbereiche: ${names}`,
    warning: 'Erlauben Sie es nur, wenn Ihr Team Ihnen genau diesen Schlüssel genannt hat.',
    allow: 'Einstellungen anwenden',
    allowOlder: 'Durch ältere Version ersetzen',
    remove: 'Das Paket des Teams entfernen?',
    removeDetail:
      'Seine Regeln, Modelle und vertrauenswürdigen Arbeitsbereiche gelten auf diesem Computer nicht mehr. Ihre eigenen Einstellungen gelten wieder. Installierte Pakete bleiben installiert.',
    removeButton: 'Paket entfernen',
  },
};
