/**
 * The text of completions and hovers in agent files in German.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  stages: {
    options: {
      when: 'einmal gelesen',
      doc: 'Einstellungen in TOML, zum Beispiel das Modell und wie viele Eingaben gleichzeitig laufen.',
    },
    beforeAll: {
      when: 'läuft einmal, zuerst',
      doc: 'Lua, das einmal vor den Eingaben läuft. Es kann sie auswählen.',
    },
    data: {
      when: 'läuft für jede Eingabe',
      doc: 'Lua, das für jede Eingabe läuft. Es gibt `data` für die Prompts und Output zurück.',
    },
    system: {
      when: 'zuerst gesendet',
      doc: 'Ein Prompt: wie sich das Modell verhalten soll.',
    },
    user: {
      when: 'für jede Eingabe gesendet',
      doc: 'Ein Prompt: die Anfrage an das Modell.',
    },
    assistant: {
      when: 'für jede Eingabe gesendet',
      doc: 'Ein Prompt: eine frühere Antwort, die dem Modell zugeschrieben wird.',
    },
    output: {
      when: 'läuft nach jeder Modellantwort',
      doc: 'Lua, das nach der Modellantwort läuft. Es gibt die Ausgabe für diese Eingabe zurück.',
    },
    afterAll: {
      when: 'läuft einmal, zuletzt',
      doc: 'Lua, das einmal nach allen Eingaben läuft. Es gibt das Ergebnis des Agenten zurück.',
    },
  },
  returned: {
    byData: 'Von Data zurückgegeben.',
    byBeforeAll: 'Von Before All zurückgegeben.',
  },
  variables: {
    input: 'Die Eingabe dieser Aufgabe: Text, ein Wert von Before All oder eine Datei.',
    inputs: 'Alle Eingaben des Laufs in ihrer Reihenfolge.',
    data: 'Der Wert, den die Stufe Data zurückgegeben hat.',
    beforeAll: 'Der Wert, den Before All zurückgegeben hat.',
    options: 'Die hier geltenden Optionen, mit `resolved_model`: dem Modell nach dem Auflösen von Aliasnamen.',
    aiResponse: 'Die Antwort des Modells; nil, wenn es keinen Prompt gab.',
    outputs: 'Die Ausgabe für jede Eingabe in derselben Reihenfolge; null für eine übersprungene Eingabe.',
  },
  globals: {
    aip: 'Die Funktionen für Skripte, nach Modulen.',
    context: 'Angaben zum Lauf: Ordner, Agent, Stufe.',
    null: 'Ein Nullwert für Tabellen, in denen nil eine Lücke hinterließe.',
    isNull: 'Gibt zurück, ob ein Wert nil oder `null` ist.',
    isNotNull: 'Gibt zurück, ob ein Wert weder nil noch `null` ist.',
    nilIfNull: 'Gibt nil für `null` zurück und jeden anderen Wert unverändert.',
    valueOr: 'Gibt den ersten Wert zurück, der weder nil noch `null` ist.',
    isTable: 'Gibt zurück, ob ein Wert eine Tabelle ist.',
    isList: 'Gibt zurück, ob ein Wert eine Tabelle mit einem Eintrag bei 1 ist.',
    isObject: 'Gibt zurück, ob ein Wert eine Tabelle ohne Eintrag bei 1 ist.',
    print: 'Schreibt in das Protokoll des Laufs.',
    require: 'Lädt `lua/NAME.lua` aus dem Ordner des Agenten oder ersatzweise aus seinem Paket.',
  },
  file: {
    path: 'Der Pfad, relativ zum Arbeitsbereich, wenn die Datei darin liegt.',
    dir: 'Der Ordner.',
    name: 'Der Dateiname mit Endung.',
    stem: 'Der Dateiname ohne Endung.',
    ext: 'Die Endung ohne Punkt.',
    size: 'Größe in Bytes.',
    mtime: 'Zeit der letzten Änderung in Mikrosekunden seit 1970.',
    ctime: 'Zeit der Erstellung in Mikrosekunden seit 1970.',
    isLikelyText: 'Ob die Endung auf eine Textdatei hinweist.',
  },
  response: {
    content: 'Der Text der Antwort.',
    value: 'Die gelesene Antwort, wenn der Agent ein `output_schema` hat.',
    reasoning: 'Die Überlegungen des Modells.',
    modelName: 'Das Modell, das geantwortet hat.',
    adapterKind: 'Der Anbieter des Modells.',
    usage: 'Verbrauchte Token.',
    priceUsd: 'Kosten in US-Dollar.',
    durationSec: 'Zeit bis zur vollständigen Antwort in Sekunden.',
    info: 'Eine einzeilige Zusammenfassung dieser Werte.',
  },
  prompt: {
    if: 'Fügt den Teil bis `{{/if}}` ein, außer der Wert fehlt oder ist false, 0 oder leer.',
    unless: 'Fügt den Teil bis `{{/unless}}` ein, wenn der Wert fehlt oder false, 0 oder leer ist.',
    each: 'Fügt den Teil bis `{{/each}}` für jedes Element ein. Darin gibt es `{{this}}`, `{{@index}}` und `{{@key}}`.',
    with: 'Fügt den Teil bis `{{/with}}` ein. Darin sind die Felder des Werts unter ihren Namen verfügbar.',
    else: 'Beginnt den Teil, der eingefügt wird, wenn die Bedingung nicht erfüllt ist.',
    this: 'Das aktuelle Element von `#each`.',
    index: 'Die Position des aktuellen Elements von `#each`, ab 0.',
    key: 'Der Schlüssel des aktuellen Elements von `#each`.',
    lookup: '`lookup list key`: das Element mit diesem Schlüssel.',
    eq: '`(eq a b)`: ob die Werte gleich sind.',
    ne: '`(ne a b)`: ob sich die Werte unterscheiden.',
    gt: '`(gt a b)`: ob a größer als b ist.',
    gte: '`(gte a b)`: ob a größer oder gleich b ist.',
    lt: '`(lt a b)`: ob a kleiner als b ist.',
    lte: '`(lte a b)`: ob a kleiner oder gleich b ist.',
    and: '`(and a b)`: ob beide Bedingungen erfüllt sind.',
    or: '`(or a b)`: ob mindestens eine Bedingung erfüllt ist.',
    not: '`(not a)`: ob die Bedingung nicht erfüllt ist.',
    len: '`(len a)`: die Anzahl der Elemente oder Zeichen.',
  },
};
