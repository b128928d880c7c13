/**
 * The default rules for effects of scripts and nodes.
 */
import type { EffectPlace, EffectPolicy, EffectRequest, EffectVerdict } from '../kernel/capabilities/effect.ts';

/** Stable names of the rules of `defaultEffectPolicy`. */
type EffectRule =
  | 'private-folder'
  | 'protected-folder'
  | 'deciding-file'
  | 'delete-base'
  | 'delete-outside'
  | 'dry-run'
  | 'inside'
  | 'definition'
  | 'trusted'
  | 'read-outside'
  | 'write-outside'
  | 'command-untrusted'
  | 'web-untrusted'
  | 'secret-untrusted'
  | 'secret-foreign';

/** Effects named in a definition are visible before it runs and have never required trust. */
const named = new Set(['web', 'read', 'write', 'model', 'tool', 'output']);

/** Effects that pass separate gates later. */
const ownGates = new Set(['model', 'tool', 'output']);

const readable: ReadonlySet<EffectPlace> = new Set(['workspace', 'base', 'pack', 'support', 'tmp', 'protected']);

/** Locations where file effects need no trust. Forbidden locations have already been excluded. */
const inside: Readonly<Record<'read' | 'write' | 'delete' | 'editor', ReadonlySet<EffectPlace>>> = {
  read: readable,
  editor: readable,
  write: new Set(['workspace', 'support', 'tmp']),
  delete: new Set(['workspace', 'tmp']),
};

/**
 * The default policy, which never asks. Always denied: access to private files, changes to protected or deciding files,
 * deletions in the base folder or outside the workspace, and any effect except reading in a dry run. Allowed: workspace
 * files, models, tools, and node effects specified in the flow's own text. Everything else (commands, including
 * external editors, web access by scripts, files elsewhere) needs a trusted workspace.
 */
export const defaultEffectPolicy: EffectPolicy = (request) => refusalForEver(request) ?? verdictOf(request);

function refusalForEver(request: EffectRequest): EffectVerdict | undefined {
  const { effect, target, place, isDry } = request;
  if (place === 'private')
    return never('private-folder', `\`${target}\` belongs to Millrace, and scripts cannot access it`);
  if (effect === 'secret') return place === 'workspace' ? undefined : foreignSecret(target, place);
  if (effect === 'read' || effect === 'model') return undefined;
  const ofDeciding = refusedDecision(request);
  if (ofDeciding !== undefined) return ofDeciding;
  if (effect === 'delete') {
    const refusal = refusedDelete(request);
    if (refusal !== undefined) return refusal;
  }
  if (place === 'protected' && effect !== 'editor') {
    return never('protected-folder', `\`${target}\` is or contains a folder reserved for Git or Millrace`);
  }
  return isDry ? never('dry-run', 'A dry run changes, sends and starts nothing') : undefined;
}

/** Otherwise a run could grant forbidden permissions to itself or to later runs. */
function refusedDecision({ effect, decides, place }: EffectRequest): EffectVerdict | undefined {
  if (decides === undefined || place === 'protected' || (effect !== 'write' && effect !== 'delete')) return undefined;
  const { path, what } = decides;
  return never(
    'deciding-file',
    `Runs cannot change \`${path}\`: it is ${what} and controls what runs may do. Change it yourself, or allow it with may_write: [${JSON.stringify(path)}] in your own policy or your team's`,
  );
}

function refusedDelete({ place, target, workspace }: EffectRequest): EffectVerdict | undefined {
  if (place === 'base' || place === 'support') {
    return never(
      'delete-base',
      `Delete file protection - Deleting files from the .aipack-base folder is not allowed (\`${target}\`)`,
    );
  }
  if (inside.delete.has(place) || place === 'protected') return undefined;
  return never(
    'delete-outside',
    `Delete file protection - The path \`${target}\` does not belong to the workspace dir \`${workspace}\``,
  );
}

function foreignSecret(name: string, place: EffectPlace): EffectVerdict {
  const origin = place === 'pack' ? 'it comes from a pack' : 'it is not in the workspace';
  return never(
    'secret-foreign',
    `The script may not use the secret \`${name}\`, because ${origin}. Review the agent and copy it into the workspace, or send the secret from a flow with http.request`,
  );
}

function verdictOf(request: EffectRequest): EffectVerdict {
  const { effect, place, isTrusted, target, actor } = request;
  if (actor === 'node' ? named.has(effect) : ownGates.has(effect)) return allowed('definition');
  const isFree = effect in inside && inside[effect as keyof typeof inside].has(place);
  if (isFree) return allowed('inside');
  if (isTrusted) return allowed('trusted');
  if (effect === 'web') return untrusted('web-untrusted', `The script may not send a web request to \`${target}\``);
  if (effect === 'command')
    return untrusted('command-untrusted', `This workspace may not run the command \`${target}\``);
  if (effect === 'secret') return untrusted('secret-untrusted', `The script may not use the secret \`${target}\``);
  return outsideVerdict(request);
}

function outsideVerdict({ effect, target, workspace }: EffectRequest): EffectVerdict {
  if (effect === 'read' || effect === 'editor') {
    return untrusted(
      'read-outside',
      `\`${target}\` is outside the workspace, the pack and the base folder, and may not be read`,
    );
  }
  return untrusted(
    'write-outside',
    `Save file protection - The path \`${target}\` does not belong to the workspace dir \`${workspace}\`` +
      ' or to the .aipack-base support folder of the pack',
  );
}

function allowed(rule: EffectRule): EffectVerdict {
  return { decision: 'allow', rule, reason: '', trustHelps: false };
}

function never(rule: EffectRule, reason: string): EffectVerdict {
  return { decision: 'deny', rule, reason, trustHelps: false };
}

function untrusted(rule: EffectRule, reason: string): EffectVerdict {
  return { decision: 'deny', rule, reason, trustHelps: true };
}
