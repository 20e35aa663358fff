/** Statistical words of a result, each in one plain sentence. */
export const STATISTICAL_WORDS = [
  { word: 'r', means: 'The profit of a trade after costs, as a share of what it risked.' },
  {
    word: 'core',
    means: 'The same trades without the conditions of the rule: what it has to beat.',
  },
  { word: 'mean', means: 'The average r: what a trade made, as a share of its risk.' },
  { word: 'median', means: 'The r in the middle: half of the trades made more, half made less.' },
  { word: 'win', means: 'The share of the trades that made money; it says nothing of how much.' },
  { word: 'profit_factor', means: 'All gains divided by all losses: above 1 the rule made money.' },
  { word: 'drawdown_usd', means: 'The deepest fall of the profit so far below its best.' },
  { word: 'capital_usd', means: 'The most money that was at risk at one time.' },
  { word: 'n_eff', means: 'How many trades really count, as those of one day go the same way.' },
  { word: 'net_rr', means: 'How much more a trade of the rule made than one of its core.' },
  {
    word: 't',
    means: 'A figure divided by its error: beyond 2 it is rarely luck, if looked at once.',
  },
  {
    word: 'net_rr_t',
    means: 'net_rr divided by its error, in which a day counts as one observation.',
  },
  { word: 'dof', means: 'How many days stand behind a t, less one.' },
  { word: 'p', means: 'How often luck alone gives a t as far from zero.' },
  {
    word: 'placebo_p',
    means: 'How often the same triggers do as well when they are put on other days.',
  },
  { word: 'bar', means: 'What placebo_p may be at most: less with every look.' },
  {
    word: 'runs_z',
    means: 'Whether wins come in streaks (below 0) or take turns with losses (above 0).',
  },
  { word: 'prob_loss_20', means: 'The chance that 20 trades together lose money.' },
  {
    word: 'holdout',
    means: 'The newest sessions, kept apart before the first test: they judge the rule.',
  },
  { word: 'look', means: 'One judgement on the holdout: each one makes a lucky pass more likely.' },
  { word: 'effect', means: 'What the conditions add to the mean of a trade.' },
  {
    word: 'deflated_sharpe',
    means: 'The chance that the gain is more than the best luck of all trials.',
  },
  {
    word: 'pbo',
    means: 'How often the best variant of one half of the sessions is poor in the other.',
  },
  { word: 'reality_check_p', means: 'How often luck alone makes the best variant as good.' },
] as const
