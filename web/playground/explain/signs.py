"""LaTeX commands that stand for one character or one function name."""

SYMBOLS = {
    "odot": "⊙", "cdot": "·", "times": "×", "pm": "±", "oplus": "⊕", "otimes": "⊗", "wedge": "∧",
    "vee": "∨", "neg": "¬", "ne": "≠", "neq": "≠", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "ll": "≪", "gg": "≫", "in": "∈", "sim": "∼", "circ": "∘", "to": "→", "leftarrow": "←",
    "rightarrow": "→", "gets": "←", "mapsto": "↦", "star": "⋆", "ast": "∗", "mid": "∣",
    "notin": "∉", "bigwedge": "⋀", "bigvee": "⋁",
    "equiv": "≡", "approx": "≈", "propto": "∝", "cup": "∪", "cap": "∩", "setminus": "∖",
    "top": "⊤", "bmod": "mod", "sum": "∑", "prod": "∏", "int": "∫", "partial": "∂", "nabla": "∇",
    "infty": "∞", "dots": "…", "ldots": "…", "cdots": "⋯", "lfloor": "⌊", "rfloor": "⌋",
    "lceil": "⌈", "rceil": "⌉", "lVert": "‖", "rVert": "‖", "Vert": "‖", "vert": "|",
    "lvert": "|", "rvert": "|", "langle": "⟨", "rangle": "⟩", "prime": "′", "colon": ":",
}  # fmt: skip

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "varepsilon": "ε", "varphi": "φ", "vartheta": "ϑ", "ell": "ℓ",
}  # fmt: skip

FUNCTIONS = {
    "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "ln", "log",
    "max", "min", "sup", "inf", "det", "lim", "arg", "argmax", "argmin", "sgn",
    "gcd", "deg", "dim", "ker", "cot", "sec", "csc", "coth",
}  # fmt: skip
