"""A small learner: a policy of numpy that learns Connect Four against random opponents, and then plays in tournaments.

    python docs/examples/learner.py train weights.npz
    rulewright tournament connect-four random mcts:50 "pipe:python docs/examples/learner.py play weights.npz"

It is actor and critic in one network with a hidden layer, and takes one step of Adam for each sixteen steps of 512
games (V. Mnih and others, *Asynchronous methods for deep reinforcement learning*, 2016). Needs `rulewright[gymnasium]`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

GAMES, STEPS, HIDDEN, DISCOUNT = 512, 16, 96, 0.98
CELLS, COLUMNS = 42, 7
Weights = dict[str, Any]


def planes(seen: Any, disc: Any, seats: Any) -> Any:
    """The discs of the seat that looks, and those of the other one, out of observations."""
    field = seen[:, disc.offset : disc.offset + disc.size].reshape(len(seen), CELLS, -1)[:, :, 2:4]
    mine, theirs = field[:, :, 0], field[:, :, 1]
    second = (seats == 1)[:, None]
    return np.concatenate([np.where(second, theirs, mine), np.where(second, mine, theirs)], 1)


def planes_of_view(view: dict[str, Any]) -> Any:
    """The same out of what a tournament tells."""
    discs = view["fields"]["disc"]["values"]
    cells = [f"({row}, {column})" for row in range(6) for column in range(COLUMNS)]
    mine = [discs.get(cell) == view["seat"] for cell in cells]
    theirs = [discs.get(cell) not in (None, view["seat"]) for cell in cells]
    return np.array([mine + theirs], np.float32)


def fresh(seed: int) -> Weights:
    """Weights of a network that knows nothing."""
    random = np.random.default_rng(seed)
    return {
        "in": random.normal(0, (2 * CELLS) ** -0.5, (2 * CELLS, HIDDEN)).astype(np.float32),
        "bias": np.zeros(HIDDEN, np.float32),
        "policy": np.zeros((HIDDEN, COLUMNS), np.float32),
        "value": np.zeros((HIDDEN, 1), np.float32),
    }


def thought(weights: Weights, inputs: Any, masks: Any) -> tuple[Any, Any, Any]:
    """The hidden layer, the probabilities of the legal actions, and the worth of positions."""
    hidden = np.maximum(inputs @ weights["in"] + weights["bias"], 0)
    scores = np.where(masks, hidden @ weights["policy"], -1e9)
    powers = np.exp(scores - scores.max(1, keepdims=True)) * (masks > 0)
    return hidden, powers / np.maximum(powers.sum(1, keepdims=True), 1e-9), (hidden @ weights["value"])[:, 0]


class Adam:
    """Steps of gradients (D. Kingma and J. Ba, 2015)."""

    def __init__(self, weights: Weights, rate: float) -> None:
        self.rate, self.count = rate, 0
        self.mean = {key: np.zeros_like(one) for key, one in weights.items()}
        self.square = {key: np.zeros_like(one) for key, one in weights.items()}

    def step(self, weights: Weights, gradients: Weights) -> None:
        """Change the weights."""
        self.count += 1
        for key, one in gradients.items():
            self.mean[key] += 0.1 * (one - self.mean[key])
            self.square[key] += 0.001 * (one * one - self.square[key])
            mean, square = self.mean[key] / (1 - 0.9**self.count), self.square[key] / (1 - 0.999**self.count)
            weights[key] -= self.rate * mean / (np.sqrt(square) + 1e-8)


def train(updates: int = 300, seed: int = 1, enough: float = 0.95, tell: bool = True) -> tuple[Weights, float]:
    """Learn until this part of games is won, or for so many updates; the weights, and the part that was won last, while
    it still tries things out."""
    import rulewright_lab as lab
    from rulewright_lab.adapters.gymnasium import VectorEnv

    envs = VectorEnv("connect-four", GAMES, opponents="random", autoreset_mode="SameStep")
    disc = next(part for part in lab.observations(envs.game).parts if part.name == "field disc")
    random, weights = np.random.default_rng(seed), fresh(seed)
    adam, won = Adam(weights, 2e-3), 0.5
    seen, info = envs.reset(seed=seed)
    for update in range(1, updates + 1):
        steps, ends = [], []
        for _ in range(STEPS):
            inputs, masks = planes(seen["observation"], disc, info["seat"]), seen["action_mask"]
            hidden, chances, worth = thought(weights, inputs, masks)
            actions = (chances.cumsum(1) > random.random((GAMES, 1)) * chances.sum(1, keepdims=True)).argmax(1)
            seen, rewards, over, _, info = envs.step(actions)
            steps.append((inputs, hidden, chances, worth, actions, rewards.astype(np.float32), over))
            ends.extend(rewards[over])
        won += 0.1 * (float(np.mean(np.array(ends) > 0)) - won) if ends else 0.0
        last = thought(weights, planes(seen["observation"], disc, info["seat"]), seen["action_mask"])[2]
        adam.step(weights, gradients(weights, steps, last))
        if tell and update % 50 == 0:
            print(f"{update:4} updates, {won:.0%} of games won", flush=True)
        if won >= enough:
            break
    return weights, float(won)


def gradients(weights: Weights, steps: list[Any], worth_then: Any) -> Weights:
    """The gradients of the loss: of the policy, of the worth, and a little for being undecided."""
    goals = []
    for *_, rewards, over in reversed(steps):
        worth_then = rewards + DISCOUNT * np.where(over, 0, worth_then)
        goals.append(worth_then)
    goal = np.concatenate(goals[::-1])
    inputs, hidden, chances, worth, actions = (np.concatenate(part) for part in list(zip(*steps, strict=True))[:5])
    count, every = len(goal), np.arange(len(goal))
    advantage = goal - worth
    logs = np.log(chances + 1e-9)
    undecided = -(chances * logs).sum(1, keepdims=True)
    slope = chances * advantage[:, None]
    slope[every, actions] -= advantage
    slope += 0.003 * chances * (logs + undecided)
    slope_of_worth = -advantage[:, None]
    back = (slope @ weights["policy"].T + slope_of_worth @ weights["value"].T) * (hidden > 0)
    found = {"in": inputs.T @ back, "bias": back.sum(0), "policy": hidden.T @ slope, "value": hidden.T @ slope_of_worth}
    return {key: (one / count).astype(np.float32) for key, one in found.items()}


def judged(weights: Weights, steps: int = 60, seed: int = 2) -> float:
    """The part of games that is won against random opponents with the best action each time."""
    import rulewright_lab as lab
    from rulewright_lab.adapters.gymnasium import VectorEnv

    envs = VectorEnv("connect-four", GAMES, opponents="random", autoreset_mode="SameStep")
    disc = next(part for part in lab.observations(envs.game).parts if part.name == "field disc")
    seen, info = envs.reset(seed=seed)
    won = []
    for _ in range(steps):
        chances = thought(weights, planes(seen["observation"], disc, info["seat"]), seen["action_mask"])[1]
        seen, rewards, over, _, info = envs.step(chances.argmax(1))
        won.extend(rewards[over] > 0)
    return float(np.mean(won))


def play(path: str) -> None:
    """Answer the questions of a tournament with the best action of the network."""
    weights = dict(np.load(path))
    for line in sys.stdin:
        question = json.loads(line)
        masks = np.zeros((1, COLUMNS), np.int8)
        masks[0, [int(key) for key in question["options"]]] = 1
        chances = thought(weights, planes_of_view(question["view"]), masks)[1]
        print(json.dumps({"option": str(int(chances.argmax()))}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "train":
        learnt, _ = train()
        np.savez(sys.argv[2], **learnt)
        print(f"{judged(learnt):.0%} of games won against random opponents")
    else:
        play(sys.argv[2])
