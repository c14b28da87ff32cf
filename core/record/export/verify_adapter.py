"""Verifies an exported patch with Hugging Face's transformers and peft.

Usage: python verify.py MODEL     MODEL: folder or name of the model that the run used

Loads MODEL, puts the patch of one step into its weights, feeds it the step's one token at its
position and nothing of the context before it, and compares the logits with those that Equipatch
recorded. Needs: pip install torch transformers peft safetensors (written for transformers 4.48 to
4.57 and peft 0.14 to 0.17; experts of a mixture must be separate modules, as they are there).
"""
import json
import math
import sys
from pathlib import Path

import torch
from peft import PeftModel
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

FOLDER = Path(__file__).resolve().parent


def load_model(name, reference):
    weights = getattr(torch, reference["weights_dtype"])
    model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=weights)
    return model.to(getattr(torch, reference["compute_dtype"])).eval()


def patched_model(model):
    with torch.no_grad():
        for name, value in load_file(FOLDER / "patched_parameters.safetensors").items():
            model.get_parameter(name).copy_(value)
    if not (FOLDER / "adapter_config.json").exists():
        return model
    return PeftModel.from_pretrained(model, FOLDER).eval()


def logits_of_the_token_alone(model, reference):
    token = torch.tensor([[reference["token_id"]]])
    position = torch.tensor([[reference["position"]]])
    with torch.no_grad():
        output = model(input_ids=token, position_ids=position, use_cache=False)
    return output.logits[0, -1].double()


def compare(title, logits, choices):
    """Prints recorded logits beside these; returns the largest difference, or NaN."""
    print(f"{title}:")
    largest = 0.0
    for choice in choices:
        found = logits[choice["id"]].item()
        # JSON has neither infinity nor NaN: null stands for both.
        recorded = math.nan if choice["logit"] is None else choice["logit"]
        difference = abs(found - recorded)
        # max would ignore a NaN.
        largest = max(largest, difference) if math.isfinite(difference) else math.nan
        print(f"  {choice['id']:>8}  {choice['text']!r:16} recorded {recorded:12.6f}"
              f"   here {found:12.6f}")
    print(f"  largest difference {largest:.3g}, most likely here {int(logits.argmax())}")
    return largest


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    reference = json.loads((FOLDER / "reference.json").read_text(encoding="utf-8"))
    model = load_model(sys.argv[1], reference)
    if reference["bare"]:
        compare("Without patch and without context", logits_of_the_token_alone(model, reference),
                reference["bare"])
    logits = logits_of_the_token_alone(patched_model(model), reference)
    difference = compare("With the patch, without context", logits, reference["patched"])
    print(f"The whole context had given {reference['contextual'][0]['id']}.")
    same = int(logits.argmax()) == reference["patched"][0]["id"]
    close = difference <= reference["tolerance"]
    print("verified" if same and close else "NOT verified")
    return 0 if same and close else 1


if __name__ == "__main__":
    sys.exit(main())
