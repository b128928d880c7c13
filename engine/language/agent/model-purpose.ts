/** The purposes for which a pure agent may call a model. */
export const modelPurposes = ['INSIGHT', 'PRIORITIZATION', 'EXPLANATION', 'UNCERTAINTY'] as const;

export type ModelPurpose = (typeof modelPurposes)[number];
