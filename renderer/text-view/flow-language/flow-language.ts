/**
 * Flow files and conversation catalogs as languages of the text view.
 */
import type { editor } from 'monaco-editor/editor';
import {
  flowJsonSchema,
  isCataloguePath,
  type JsonMap,
  type NodeTypeCatalog,
  stepCatalog,
  stepsJsonSchema,
} from '../../../engine/isomorphic.ts';
import type { CandidateContext } from '../../stores/flow/binding-candidates.ts';
import type { TextLanguage } from '../languages.ts';
import type { Monaco } from '../monaco.ts';
import { text as words } from '../text.ts';
import { indexCatalogue } from './catalogue-index.ts';
import { catalogueSchema, completeCatalogue } from './complete-catalogue.ts';
import { completeFlow, type FlowKnowledge } from './complete-flow.ts';
import { type FlowIndex, indexFlow, isStepText } from './flow-index.ts';
import { targetAt } from './flow-places.ts';
import { type FlowHelp, type OutsideTarget, registerFlowProviders } from './flow-providers.ts';

/** The services that the language needs from the program. */
interface FlowLanguageOptions {
  readonly catalog: NodeTypeCatalog;
  /** Returns the summary on the card of a node. */
  summaryOf(path: string, id: string): string | undefined;
  /** Returns the information that is not part of a flow's text. */
  surroundingsOf(path: string): CandidateContext;
  /** Renames a node or a flow of a file and all references to it. Reports errors itself. */
  rename(path: string, id: string, to: string): Promise<unknown>;
  open(target: OutsideTarget): void;
}

const helps = new Map<editor.ITextModel, FlowHelp>();
const indexes = new WeakMap<editor.ITextModel, { readonly version: number; readonly index: FlowIndex }>();

/** Returns the index of the current text, in Monaco's offsets. */
export function indexOfModel(model: editor.ITextModel, read: (text: string) => FlowIndex = indexFlow): FlowIndex {
  const known = indexes.get(model);
  const version = model.getVersionId();
  if (known?.version === version) return known.index;
  const index = read(model.getValue());
  indexes.set(model, { version, index });
  return index;
}

function registerFlows(monaco: Monaco): void {
  // By default, Monaco does not close braces before a quote, which is where most bindings are typed.
  monaco.languages.setLanguageConfiguration('yaml', { autoCloseBefore: ';:.,=}])>"\'!?*_-|\\/ \n\t' });
  registerFlowProviders(monaco, (model) => helps.get(model));
}

/** Creates the language of flow files and conversation catalogs. */
export function createFlowLanguage(options: FlowLanguageOptions): TextLanguage {
  const { catalog, surroundingsOf, summaryOf, open, rename } = options;
  const knowledge = flowKnowledge(catalog);
  return {
    id: 'yaml',
    isFor: ({ kind }) => kind === 'flow' || kind === 'dialogue',
    register: registerFlows,
    attach(monaco, { view, file }, path) {
      const { model } = file;
      const isCatalogue = isCataloguePath(path);
      const index = (): FlowIndex => indexOfModel(model, isCatalogue ? indexCatalogue : indexFlow);
      const known: FlowHelp['knowledge'] = {
        get schema() {
          if (isCatalogue) return catalogueSchema();
          return isStepText(index().root) ? stepSchema() : knowledge.schema;
        },
        get catalog() {
          return isStepText(index().root) ? stepCatalog : knowledge.catalog;
        },
        get files() {
          return surroundingsOf(path).files;
        },
        get secrets() {
          return surroundingsOf(path).secrets;
        },
        summaryOf: (id) => summaryOf(path, id),
      };
      helps.set(model, {
        knowledge: known,
        index,
        complete: isCatalogue ? completeCatalogue : (at, offset) => completeFlow(at, offset, known),
        rename: (id, to) => rename(path, id, to),
        open,
      });
      const definition = view.addAction({
        id: 'millrace.goToDefinition',
        label: words.editor.goToDefinition,
        keybindings: [monaco.KeyCode.F12],
        run() {
          const position = view.getPosition();
          const target = position === null ? undefined : targetAt(index(), model.getOffsetAt(position));
          if (target === undefined || target.kind === 'node')
            view.trigger('keyboard', 'editor.action.revealDefinition', {});
          else open(target);
        },
      });
      return () => {
        definition.dispose();
        helps.delete(model);
      };
    },
  };
}

let steps: JsonMap | undefined;

/** Created on first use. */
function stepSchema(): JsonMap {
  steps ??= stepsJsonSchema();
  return steps;
}

/**
 * Collects the information about the types of a catalog. The schema is created on first use, and again for other types.
 */
export function flowKnowledge(catalog: NodeTypeCatalog): FlowKnowledge {
  let made: { readonly schema: JsonMap; readonly types: ReturnType<NodeTypeCatalog['list']> } | undefined;
  return {
    get schema() {
      const types = catalog.list();
      if (made?.types !== types) made = { schema: flowJsonSchema(catalog), types };
      return made.schema;
    },
    catalog,
  };
}
