import { testMessageCost } from '../../support/messageCost.ts'

testMessageCost(10_000)
