type UsedLimit = {
  readonly window: 'minute' | 'day' | 'month'
  readonly windowSeconds: number
  readonly limit: number
  /** May be above the limit. */
  readonly used: number
  /** Seconds until the count resets. */
  readonly resetSeconds: number
}

/** Headers of draft-ietf-httpapi-ratelimit-headers: a limit, and what is left of it. */
export const rateHeaders = ({ window, windowSeconds, limit, used, resetSeconds }: UsedLimit) => ({
  'ratelimit-policy': `"${window}";q=${limit};w=${windowSeconds}`,
  ratelimit: `"${window}";r=${Math.max(0, limit - used)};t=${resetSeconds}`,
})
