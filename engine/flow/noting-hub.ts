/**
 * What a node tells, noted down to be told later.
 */
import type { RunId } from '../base/ids.ts';
import { lowerOf } from '../flowspec/autonomy.ts';
import type { Hub, HubScope } from '../kernel/hub.ts';
import type { RunEvent } from '../kernel/run-event.ts';

/** The way from one hub to another one that was made from it. */
type Way = readonly ({ readonly context: Partial<HubScope> } | { readonly child: RunId })[];

/** Something that was told on a hub, as JSON. */
export type Told = { readonly way: Way; readonly event: RunEvent } | { readonly way: Way; readonly definition: string };

type Surroundings = Pick<Hub, 'runId' | 'taskId' | 'autonomy' | 'products' | 'isUnseen'>;

/** Stands in for another hub, to which nothing goes. */
export class NotingHub implements Hub {
  readonly told: Told[];
  readonly runId: RunId;
  readonly taskId: string | undefined;
  readonly autonomy: Hub['autonomy'];
  readonly products: readonly string[] | undefined;
  readonly isUnseen: boolean | undefined;
  readonly #way: Way;

  constructor({ runId, taskId, autonomy, products, isUnseen }: Surroundings, told: Told[] = [], way: Way = []) {
    this.runId = runId;
    this.taskId = taskId;
    this.autonomy = autonomy;
    this.products = products;
    this.isUnseen = isUnseen;
    this.told = told;
    this.#way = way;
  }

  emit(event: RunEvent): void {
    const last = this.told.at(-1);
    const joined = last?.way === this.#way && 'event' in last ? joinedText(last.event, event) : undefined;
    if (joined === undefined) this.told.push({ way: this.#way, event });
    else this.told[this.told.length - 1] = { way: this.#way, event: joined };
  }

  scoped(context: Partial<HubScope>): Hub {
    const { runId, products, isUnseen } = this;
    const taskId = context.task?.id ?? this.taskId;
    const autonomy = lowerOf(this.autonomy, context.autonomy);
    return new NotingHub({ runId, taskId, autonomy, products, isUnseen }, this.told, [...this.#way, { context }]);
  }

  child(runId: RunId): Hub {
    const { autonomy, products, isUnseen } = this;
    return new NotingHub({ runId, taskId: undefined, autonomy, products, isUnseen }, this.told, [
      ...this.#way,
      { child: runId },
    ]);
  }

  /** What is noted is kept with the result of the step. */
  flush(): void {}

  keepDefinition(definition: string): void {
    this.told.push({ way: this.#way, definition });
  }
}

/** Pieces of text that follow each other are one, as everywhere. */
function joinedText(former: RunEvent, event: RunEvent): RunEvent | undefined {
  if (event.type !== 'agent:text' && event.type !== 'agent:thinking') return undefined;
  return former.type === event.type ? { type: event.type, content: former.content + event.content } : undefined;
}

/** Tells all of it on the hub that it was noted for. */
export function tellAll(told: readonly Told[], hub: Hub): void {
  for (const one of told) {
    const own = one.way.reduce((at, step) => ('child' in step ? at.child(step.child) : at.scoped(step.context)), hub);
    if ('event' in one) own.emit(one.event);
    else own.keepDefinition?.(one.definition);
  }
}
