/** Sentences that are rules, one per feature of the language; a test reads all of them. */
export const EXAMPLES: readonly string[] = `
  At 10:00 sell the 10-wide put spread 30 points below spot, exit at 50% profit or at 15:45.

  At 10:00 sell the 10-wide put spread 30 points below if price is above the flip by 10
  points.

  Tuesdays every 60 minutes from 10:00 to 14:00 sell the 10 delta 15-wide iron condor, stop
  at 3x credit.

  After an order over $25M premium that removes gamma, buy the 20-wide put spread at the
  money, stop at 50% loss.

  Sell the 1DTE strangle at 1.5 expected moves at 15:00, exit at 40% profit.

  Between 11:00 and 13:30, if the gap is over 0.4%, sell the 10-wide call spread 10 points
  above the call wall.

  At 10:30 buy the straddle when net gamma is negative and sell it when positive.

  Between 10:00 and 14:00, the first time price crosses above the flip, buy the 10-wide call
  spread at the money.

  Sell an iron butterfly with 30 point wings at 13:30 when the call wall is within 10 points.

  No trade on Fridays; sell the 10-wide put spread 1 expected move below at 10:00.

  At noon sell 2 contracts of the 16 delta strangle, take profit at 50%, stop at a loss of 2x
  credit.

  Buy a 10-wide put spread at the money at 10:00 if price fell more than 0.5% from the open.

  At 11:00 sell the 5-wide call spread 25 points above spot if iv is down over 1 points since
  the open.

  At 10:00 sell the 10 wide condor 40 points out if the move from the open is less than half
  the expected move.

  At 14:00 sell the 10-wide put spread 20 points below the put wall if no order over $50M
  premium in the last 60 minutes.

  Sell the 2DTE 25-wide put spread at 10 delta at 15:30, exit at 10:00 the next day.

  An hour after the open sell the 10-wide put spread at 16 delta unless net gamma is
  negative.

  At 10:30 CT sell the 10-wide bear call spread 30 points out.
`
  .trim()
  .split('\n\n')
  .map(sentence => sentence.replace(/\s+/g, ' ').trim())
