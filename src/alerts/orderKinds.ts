/** Structures that a rule can match: the ledger's kinds that do not reveal a side. */
export const ORDER_KINDS = [
  'single',
  'vertical',
  'ratio_spread',
  'calendar',
  'ratio_calendar',
  'diagonal',
  'ratio_diagonal',
  'straddle',
  'ratio_straddle',
  'strangle',
  'ratio_strangle',
  'guts',
  'synthetic',
  'risk_reversal',
  'ratio_risk_reversal',
  'butterfly',
  'broken_wing_butterfly',
  'christmas_tree',
  'ladder',
  'three_way',
  'condor',
  'broken_wing_condor',
  'iron_condor',
  'iron_butterfly',
  'double_vertical',
  'box',
  'jelly_roll',
  'vertical_roll',
  'double_calendar',
  'double_diagonal',
  'custom',
] as const

/**
 * Kinds that the ledger assigns only to a customer of one side, each with the name of the same legs
 * from the other side: a rule for one of them would reveal which way the customer traded.
 */
export const ONE_SIDED_KINDS: Readonly<Record<string, (typeof ORDER_KINDS)[number]>> = {
  back_spread: 'ratio_spread',
  put_spread_collar: 'three_way',
}

/** Returns the kind of a ledger order as rules and events name it. */
export const toAlertKind = (kind: string): string => ONE_SIDED_KINDS[kind] ?? kind
