/**
 * A test product: a shop with one flow that requests input, waits for an approval, and pays. Its engine has an
 * in-memory history.
 */

import { openProducts, type ProductGateway } from '../../host/executor/gateway.ts';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { AgentResult, type AgentStep, BaseAgent } from '../../runtime/agent/pure/base-agent.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';

export class Planner extends BaseAgent {
  readonly name = 'shop.planner';
  #runs = 0;

  async run({ params, payload, artifacts, constraints }: AgentStep) {
    this.#runs += 1;
    return AgentResult.ok({
      params,
      payload,
      seen: Object.keys(artifacts),
      level: constraints.autonomyLevel,
      runs: this.#runs,
    });
  }
}

/** The flow of the shop. */
const refund = `id: refund
autonomy_level: semi_auto
steps:
  - id: plan
    type: agent
    agent: shop.planner
    params: { order: "{{payload.order}}" }
  - id: ask
    type: user_input
    params:
      form_id: why
      title: Why?
      schema: { type: object, properties: { reason: { type: string, enum: [late, broken] } } }
      defaults: { reason: late }
      required: [reason]
  - id: ok
    type: human_approval
    message: Pay it?
    params: { approval_context: { reason: "{{artifacts.user_input.why.values.reason}}" } }
  - id: pay
    type: tool
    tool: shop.pay
    params: { order: "{{payload.order}}", note: "{{payload.note}}" }
`;

/** The manifest of the shop's tool. */
export const pay = `tool_id: pay
description: pays
input_schema: { type: object }
run: { js: "return { paid: input.order, note: input.note }" }
`;

/** Name of the product and its only flow. */
export const shop = { product: 'shop', flow: 'refund' };

export class ShopWorld {
  readonly folder: TestFolder = createTestFolder();
  engine!: Engine;
  products!: ProductGateway;

  static async open(): Promise<ShopWorld> {
    const world = new ShopWorld();
    world.write('products/shop/flows/refund.yaml', refund);
    world.write('products/shop/tools/pay.tool.yaml', pay);
    await world.openEngine();
    return world;
  }

  async openEngine(more: Partial<EngineOptions> = {}): Promise<void> {
    const place = { workspace: this.folder.at('workspace'), homeFolder: this.folder.at('home'), storeFile: ':memory:' };
    this.engine = await createEngine({ ...place, isTrusted: true, agents: [Planner], env: {}, ...more });
    this.products = openProducts(this.engine);
  }

  /** @param path relative to the workspace */
  write(path: string, text: string): void {
    this.folder.write(`workspace/${path}`, text);
  }

  async close(): Promise<void> {
    await this.engine.close();
    this.folder.remove();
  }
}
