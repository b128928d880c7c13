/** The purposes for which an agent of the contract pure may call a model. */
export const modelPurposes = ['INSIGHT', 'PRIORITIZATION', 'EXPLANATION', 'UNCERTAINTY'] as const;

export type ModelPurpose = (typeof modelPurposes)[number];
