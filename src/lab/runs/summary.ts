import type { LabResult } from '../result.ts'

/** Summary of a result shown in lists of ideas. */
export const summarizeResult = ({ legs, optimize, data }: LabResult) => ({
  to: data.to,
  legs: legs.map(({ title, verdict, eras }) => ({
    title,
    interesting: verdict?.interesting ?? false,
    net_rr_t: verdict?.net_rr_t ?? null,
    n: eras.all.n,
    mean: eras.all.rule.mean,
    sentence: verdict?.sentence ?? '',
  })),
  ...(optimize ? { variants_tried: optimize.variants_tried } : {}),
})
