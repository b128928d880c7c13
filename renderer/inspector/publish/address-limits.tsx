/**
 * The limits of callers of a published flow.
 */
import { type FormEvent, useState } from 'react';
import { useStores } from '../../stores/stores-context.tsx';
import type { ListedAddress } from '../../stores/workspace/publishing.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { numberText } from '../../ui/language.ts';
import { Group } from '../fields/setting-rows.tsx';
import { text as words } from './text.ts';

const text = words.limits;

/** Limits in the units of the form, with the largest values that the engine accepts. */
const limits = {
  runsAtOnce: { unit: 1, most: 1_000 },
  perHour: { unit: 1, most: 1_000_000 },
  bodyBytes: { unit: 1_000_000, most: 100 },
} as const;

type Limit = keyof typeof limits;

const names = Object.keys(limits) as readonly Limit[];

/** The user confirms a change in a dialog, so all fields are applied together. */
export function AddressLimits({ address }: { readonly address: ListedAddress }) {
  const { publishing } = useStores();
  const [typed, setTyped] = useState<Partial<Record<Limit, string>>>({});
  const shownOf = (name: Limit): string => typed[name] ?? String(address.limits[name] / limits[name].unit);
  const problemOf = (name: Limit): string | undefined => {
    const value = typed[name];
    const { most } = limits[name];
    if (value === undefined || (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= most)) return undefined;
    return text.bad({ most: numberText(most) });
  };
  const changed = names.filter((name) => Number(shownOf(name)) * limits[name].unit !== address.limits[name]);
  const problem = names.map(problemOf).find((one) => one !== undefined);
  const apply = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (changed.length === 0 || problem !== undefined) return;
    const next = Object.fromEntries(changed.map((name) => [name, Number(typed[name]) * limits[name].unit]));
    await publishing.getState().publish({ flow: address.flow, limits: next });
    setTyped({});
  };
  return (
    <Group title={text.title}>
      <form className="publish-limits" onSubmit={(event) => void apply(event)}>
        {names.map((name) => (
          <Field key={name} label={text[name]} {...(name === 'bodyBytes' ? { note: text.megabytes } : {})}>
            {(control) => (
              <TextInput
                {...control}
                aria-invalid={problemOf(name) !== undefined}
                inputMode="numeric"
                value={shownOf(name)}
                onChange={({ target }) => setTyped((former) => ({ ...former, [name]: target.value.trim() }))}
              />
            )}
          </Field>
        ))}
        {problem === undefined ? null : (
          <p className="field-problem" role="alert">
            {problem}
          </p>
        )}
        {changed.length === 0 ? null : (
          <Button size="small" type="submit" disabled={problem !== undefined}>
            {text.apply}
          </Button>
        )}
      </form>
    </Group>
  );
}
